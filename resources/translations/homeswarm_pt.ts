<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="pt" sourcelanguage="en">
  <context>
    <name>homeswarm</name>
    <message>
      <source> and </source>
      <translation> e </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s)</source>
      <translation>
        <numerusform>%n bloco</numerusform>
        <numerusform>%n blocos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s) missing</source>
      <translation>
        <numerusform>falta %n bloco</numerusform>
        <numerusform>faltam %n blocos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n computer(s)</source>
      <translation>
        <numerusform>%n computador</numerusform>
        <numerusform>%n computadores</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s)</source>
      <translation>
        <numerusform>%n conversa</numerusform>
        <numerusform>%n conversas</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s) now</source>
      <translation>
        <numerusform>%n conversa agora</numerusform>
        <numerusform>%n conversas agora</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s)</source>
      <translation>
        <numerusform>%n dia</numerusform>
        <numerusform>%n dias</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s) ago</source>
      <translation>
        <numerusform>há %n dia</numerusform>
        <numerusform>há %n dias</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s)</source>
      <translation>
        <numerusform>%n hora</numerusform>
        <numerusform>%n horas</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) ago</source>
      <translation>
        <numerusform>há %n hora</numerusform>
        <numerusform>há %n horas</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) left</source>
      <translation>
        <numerusform>falta %n hora</numerusform>
        <numerusform>faltam %n horas</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n millisecond(s)</source>
      <translation>
        <numerusform>%n milissegundo</numerusform>
        <numerusform>%n milissegundos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s)</source>
      <translation>
        <numerusform>%n minuto</numerusform>
        <numerusform>%n minutos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s) ago</source>
      <translation>
        <numerusform>há %n minuto</numerusform>
        <numerusform>há %n minutos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n second(s)</source>
      <translation>
        <numerusform>%n segundo</numerusform>
        <numerusform>%n segundos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n token(s)</source>
      <translation>
        <numerusform>%n token</numerusform>
        <numerusform>%n tokens</numerusform>
      </translation>
    </message>
    <message>
      <source>&amp;Instruction for the model</source>
      <translation>&amp;Instrução para o modelo</translation>
    </message>
    <message>
      <source>&amp;Link</source>
      <translation>&amp;Link</translation>
    </message>
    <message>
      <source>&amp;Longest answer</source>
      <translation>&amp;Resposta mais longa</translation>
    </message>
    <message>
      <source>&amp;Repeatable, with this seed</source>
      <translation>&amp;Repetível, com esta semente</translation>
    </message>
    <message>
      <source>&amp;Temperature</source>
      <translation>&amp;Temperatura</translation>
    </message>
    <message>
      <source>&amp;Who answers</source>
      <translation>&amp;Quem responde</translation>
    </message>
    <message>
      <source>(this computer)</source>
      <translation>(este computador)</translation>
    </message>
    <message>
      <source>, then </source>
      <translation>, depois </translation>
    </message>
    <message>
      <source>0 always takes the likeliest word; higher is more varied.</source>
      <translation>0 escolhe sempre a palavra mais provável; mais alto é mais variado.</translation>
    </message>
    <message>
      <source>A certificate does not fit. Let that computer join anew.</source>
      <translation>Um certificado não confere. Deixe esse computador entrar de novo.</translation>
    </message>
    <message>
      <source>A computer has no memory left for this conversation.</source>
      <translation>Um computador já não tem memória para esta conversa.</translation>
    </message>
    <message>
      <source>A computer is about to sleep. Ask again: another way is taken.</source>
      <translation>Um computador está prestes a adormecer. Pergunte de novo: será usado outro caminho.</translation>
    </message>
    <message>
      <source>A computer is gone</source>
      <translation>Um computador desapareceu</translation>
    </message>
    <message>
      <source>A computer is no member of this household. Let it join with an invitation.</source>
      <translation>Um computador não é membro desta casa. Deixe-o entrar com um convite.</translation>
    </message>
    <message>
      <source>A computer of the household cannot be used now.</source>
      <translation>Um computador da casa não pode ser usado agora.</translation>
    </message>
    <message>
      <source>A computer refused its part of the work.</source>
      <translation>Um computador recusou a sua parte do trabalho.</translation>
    </message>
    <message>
      <source>A computer shows the certificate of another one.</source>
      <translation>Um computador mostra o certificado de outro.</translation>
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation>Um computador deixou de responder a meio. Pergunte de novo: será usado outro caminho.</translation>
    </message>
    <message>
      <source>A file cannot be read or written.</source>
      <translation>Um ficheiro não pode ser lido ou escrito.</translation>
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation>Um ficheiro do modelo está danificado. Importe-o de novo.</translation>
    </message>
    <message>
      <source>A list of members was signed by a computer that had been removed.</source>
      <translation>Uma lista de membros foi assinada por um computador removido.</translation>
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation>Uma mensagem leva no máximo {count} ficheiros.</translation>
    </message>
    <message>
      <source>A model</source>
      <translation>Um modelo</translation>
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation>Já há um nó a correr com este perfil.</translation>
    </message>
    <message>
      <source>A part of Homeswarm has no membership yet. Try again in a moment.</source>
      <translation>Uma parte do Homeswarm ainda não é membro. Tente de novo daqui a pouco.</translation>
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation>Uma parte do Homeswarm não está a correr. A página da casa diz o que aconteceu.</translation>
    </message>
    <message>
      <source>A picture of the QR code</source>
      <translation>Uma imagem do código QR</translation>
    </message>
    <message>
      <source>A second computer keeps up</source>
      <translation>Um segundo computador acompanha</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Endereço</translation>
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation>Endereço onde outros computadores alcançam este.</translation>
    </message>
    <message>
      <source>Address to listen at</source>
      <translation>Endereço de escuta</translation>
    </message>
    <message>
      <source>Addresses to join by</source>
      <translation>Endereços para entrar</translation>
    </message>
    <message>
      <source>After a pause of this long in which you did not chat either, the memory of the blocks is given back; they are loaded anew when contributing begins again. 0 keeps it, so that they are there at once.</source>
      <translation>Depois de uma pausa tão longa, sem conversas suas, a memória dos blocos é libertada; são carregados de novo quando a contribuição recomeça. 0 mantém-na, para que estejam logo prontos.</translation>
    </message>
    <message>
      <source>After that</source>
      <translation>Depois disso</translation>
    </message>
    <message>
      <source>An invitation begins with {start}.</source>
      <translation>Um convite começa por {start}.</translation>
    </message>
    <message>
      <source>An owner or admin can invite this computer again.</source>
      <translation>Um dono ou administrador pode convidar este computador de novo.</translation>
    </message>
    <message>
      <source>An update is needed</source>
      <translation>É preciso atualizar</translation>
    </message>
    <message>
      <source>Another computer uses the same identity. Only one of them can take part.</source>
      <translation>Outro computador usa a mesma identidade. Só um deles pode participar.</translation>
    </message>
    <message>
      <source>Another program uses a port that Homeswarm was to have.</source>
      <translation>Outro programa usa uma porta que o Homeswarm devia ter.</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>Resposta</translation>
    </message>
    <message>
      <source>Answer again</source>
      <translation>Responder de novo</translation>
    </message>
    <message>
      <source>Approve</source>
      <translation>Aceitar</translation>
    </message>
    <message>
      <source>Approve this computer on {name}, where it must show {digits}. Waiting for that …</source>
      <translation>Aprove este computador em {name}, onde deve aparecer {digits}. À espera …</translation>
    </message>
    <message>
      <source>Ask again; if it happens again, import the model anew.</source>
      <translation>Pergunte de novo; se voltar a acontecer, importe o modelo outra vez.</translation>
    </message>
    <message>
      <source>Ask for a new link.</source>
      <translation>Peça um novo link.</translation>
    </message>
    <message>
      <source>Ask something …</source>
      <translation>Pergunte algo …</translation>
    </message>
    <message>
      <source>Ask {name} to let this computer in</source>
      <translation>Pedir a {name} que deixe entrar este computador</translation>
    </message>
    <message>
      <source>Asleep: {names}</source>
      <translation>A dormir: {names}</translation>
    </message>
    <message>
      <source>Attach text files</source>
      <translation>Anexar ficheiros de texto</translation>
    </message>
    <message>
      <source>Attention cache for the conversations of the whole household on this computer.</source>
      <translation>Memória para as conversas de toda a casa neste computador.</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Voltar</translation>
    </message>
    <message>
      <source>Between two tokens, 19 times of 20 at most</source>
      <translation>Entre dois tokens, em 19 de 20 vezes no máximo</translation>
    </message>
    <message>
      <source>Between two tokens, usually</source>
      <translation>Entre dois tokens, normalmente</translation>
    </message>
    <message>
      <source>Blocks</source>
      <translation>Blocos</translation>
    </message>
    <message>
      <source>Blocks are missing</source>
      <translation>Faltam blocos</translation>
    </message>
    <message>
      <source>Blocks of the model and who serves them</source>
      <translation>Blocos do modelo e quem os serve</translation>
    </message>
    <message>
      <source>Blocks to serve</source>
      <translation>Blocos a servir</translation>
    </message>
    <message>
      <source>By an invitation, its QR code, or by asking a computer nearby.</source>
      <translation>Com um convite, o seu código QR, ou pedindo a um computador próximo.</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Cancelar</translation>
    </message>
    <message>
      <source>Cancel the invitation</source>
      <translation>Cancelar o convite</translation>
    </message>
    <message>
      <source>Changes of the household hold only until Homeswarm stops: they cannot be written. Free some space.</source>
      <translation>As alterações da casa valem só até o Homeswarm parar: não podem ser gravadas. Liberte algum espaço.</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>Conversas</translation>
    </message>
    <message>
      <source>Chooses among the likeliest words that together have this probability.</source>
      <translation>Escolhe entre as palavras mais prováveis que juntas têm esta probabilidade.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Fechar</translation>
    </message>
    <message>
      <source>Close other programs, or choose a smaller model in the settings.</source>
      <translation>Feche outros programas ou escolha um modelo menor nas definições.</translation>
    </message>
    <message>
      <source>Close the window</source>
      <translation>Fechar a janela</translation>
    </message>
    <message>
      <source>Code, {language}</source>
      <translation>Código, {language}</translation>
    </message>
    <message>
      <source>Compute</source>
      <translation>Cálculo</translation>
    </message>
    <message>
      <source>Compute threads of each child process at most; it takes as many as gain. 0: one for each core.</source>
      <translation>No máximo tantas linhas de cálculo por processo; usa as que ajudam. 0: uma por núcleo.</translation>
    </message>
    <message>
      <source>Computers</source>
      <translation>Computadores</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>Ligação</translation>
    </message>
    <message>
      <source>Contribute</source>
      <translation>Contribuir</translation>
    </message>
    <message>
      <source>Contributing</source>
      <translation>A contribuir</translation>
    </message>
    <message>
      <source>Contributing gently: {why}</source>
      <translation>A contribuir com pouca prioridade: {why}</translation>
    </message>
    <message>
      <source>Contributing is paused</source>
      <translation>A contribuição está em pausa</translation>
    </message>
    <message>
      <source>Contributing is paused on this computer.</source>
      <translation>A contribuição está em pausa neste computador.</translation>
    </message>
    <message>
      <source>Contributing, as you asked, although {why}</source>
      <translation>A contribuir, como pediu, apesar disto: {why}</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>Conversa</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Copiar</translation>
    </message>
    <message>
      <source>Copy the token</source>
      <translation>Copiar o token</translation>
    </message>
    <message>
      <source>Copy this answer</source>
      <translation>Copiar esta resposta</translation>
    </message>
    <message>
      <source>Copy this code</source>
      <translation>Copiar este código</translation>
    </message>
    <message>
      <source>Copy this message</source>
      <translation>Copiar esta mensagem</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Apagar</translation>
    </message>
    <message>
      <source>Delete a chat</source>
      <translation>Apagar uma conversa</translation>
    </message>
    <message>
      <source>Delete the model {name} from this computer?</source>
      <translation>Apagar o modelo {name} deste computador?</translation>
    </message>
    <message>
      <source>Delete this chat? It cannot be brought back.</source>
      <translation>Apagar esta conversa? Não pode ser recuperada.</translation>
    </message>
    <message>
      <source>Delete …</source>
      <translation>Apagar …</translation>
    </message>
    <message>
      <source>Do not contribute</source>
      <translation>Não contribuir</translation>
    </message>
    <message>
      <source>Do not edit</source>
      <translation>Não editar</translation>
    </message>
    <message>
      <source>Earlier version</source>
      <translation>Versão anterior</translation>
    </message>
    <message>
      <source>Edit this message and send it again</source>
      <translation>Editar esta mensagem e enviá-la de novo</translation>
    </message>
    <message>
      <source>Everything is covered again</source>
      <translation>Tudo está coberto outra vez</translation>
    </message>
    <message>
      <source>Export as JSON …</source>
      <translation>Exportar como JSON …</translation>
    </message>
    <message>
      <source>Export as Markdown …</source>
      <translation>Exportar como Markdown …</translation>
    </message>
    <message>
      <source>Export this chat</source>
      <translation>Exportar esta conversa</translation>
    </message>
    <message>
      <source>Exported to {name}.</source>
      <translation>Exportado para {name}.</translation>
    </message>
    <message>
      <source>File …</source>
      <translation>Ficheiro …</translation>
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation>Faltam ficheiros do modelo ou estão cortados. Importe-o de novo.</translation>
    </message>
    <message>
      <source>Folder of local models</source>
      <translation>Pasta dos modelos locais</translation>
    </message>
    <message>
      <source>Folder of models</source>
      <translation>Pasta dos modelos</translation>
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation>A pasta dos modelos locais.</translation>
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation>Pasta do armazém de modelos.</translation>
    </message>
    <message>
      <source>Folder, GGUF file, or owner/name to download</source>
      <translation>Pasta, ficheiro GGUF, ou dono/nome para transferir</translation>
    </message>
    <message>
      <source>For an open swarm: an address of a computer in it, to join by; give several for safety. None founds one. A private swarm is joined by a link.</source>
      <translation>Para um enxame aberto: o endereço de um computador dele, por onde entrar; dê vários por segurança. Sem nenhum cria-se um. Num privado entra-se por um link.</translation>
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation>Por exemplo: És um professor paciente. Responde com brevidade.</translation>
    </message>
    <message>
      <source>For the household</source>
      <translation>Para a casa</translation>
    </message>
    <message>
      <source>For this computer alone, when the household cannot answer</source>
      <translation>Só para este computador, quando a casa não pode responder</translation>
    </message>
    <message>
      <source>Getting ready …</source>
      <translation>A preparar …</translation>
    </message>
    <message>
      <source>Give memory back after a pause of</source>
      <translation>Libertar memória após uma pausa de</translation>
    </message>
    <message>
      <source>Give the local model's memory back after</source>
      <translation>Libertar a memória do modelo local após</translation>
    </message>
    <message>
      <source>Go on contributing when the app has quit</source>
      <translation>Continuar a contribuir depois de sair da aplicação</translation>
    </message>
    <message>
      <source>Good night</source>
      <translation>Boa noite</translation>
    </message>
    <message>
      <source>Have a second computer keep up with each of your answers, so that a loss costs no replay. Your answers then take twice the memory and twice the work of the household; homeswarm status shows the price in memory before you switch it on.</source>
      <translation>Um segundo computador acompanha cada resposta sua, para que uma perda não custe repetição. As respostas ocupam então o dobro da memória e do trabalho da casa; homeswarm status mostra o preço em memória antes de ligar.</translation>
    </message>
    <message>
      <source>Hide this notice</source>
      <translation>Ocultar este aviso</translation>
    </message>
    <message>
      <source>Home</source>
      <translation>Casa</translation>
    </message>
    <message>
      <source>Homeswarm can stay ready in the tray.</source>
      <translation>O Homeswarm pode ficar pronto na bandeja.</translation>
    </message>
    <message>
      <source>Homeswarm cannot run this kind of model.</source>
      <translation>O Homeswarm não consegue correr este tipo de modelo.</translation>
    </message>
    <message>
      <source>Homeswarm is not running</source>
      <translation>O Homeswarm não está a correr</translation>
    </message>
    <message>
      <source>Homeswarm is open already and does not answer. End it, then start it again.</source>
      <translation>O Homeswarm já está aberto e não responde. Encerre-o e inicie-o de novo.</translation>
    </message>
    <message>
      <source>Homeswarm's node has ended.</source>
      <translation>O nó do Homeswarm terminou.</translation>
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation>O nó do Homeswarm não está a correr neste computador.</translation>
    </message>
    <message>
      <source>Homeswarm's own command could not be started.</source>
      <translation>O comando do próprio Homeswarm não pôde ser iniciado.</translation>
    </message>
    <message>
      <source>Household</source>
      <translation>Casa</translation>
    </message>
    <message>
      <source>How much of the model's memory the conversation takes</source>
      <translation>Quanto da memória do modelo a conversa ocupa</translation>
    </message>
    <message>
      <source>How soon a silent computer is given up: home_lan within about a second, for computers of one home; over_internet within about three, for lines that lose packets; test is for tests on one computer.</source>
      <translation>Quando se desiste de um computador calado: numa casa, após cerca de um segundo; pela internet, após cerca de três, para linhas que perdem pacotes; a terceira escolha é para testes num só computador.</translation>
    </message>
    <message>
      <source>How this answer came about</source>
      <translation>Como surgiu esta resposta</translation>
    </message>
    <message>
      <source>Import</source>
      <translation>Importar</translation>
    </message>
    <message>
      <source>Import the same model on both computers.</source>
      <translation>Importe o mesmo modelo nos dois computadores.</translation>
    </message>
    <message>
      <source>In no household</source>
      <translation>Em nenhuma casa</translation>
    </message>
    <message>
      <source>In this profile's folder, readable by you alone.</source>
      <translation>Na pasta deste perfil, legível só por si.</translation>
    </message>
    <message>
      <source>Instruction and sampling of this chat</source>
      <translation>Instrução e amostragem desta conversa</translation>
    </message>
    <message>
      <source>Invitation link</source>
      <translation>Link de convite</translation>
    </message>
    <message>
      <source>Invitation links could not be registered. They can still be pasted.</source>
      <translation>Os links de convite não puderam ser registados. Ainda podem ser colados.</translation>
    </message>
    <message>
      <source>Invite a computer</source>
      <translation>Convidar um computador</translation>
    </message>
    <message>
      <source>It is being started again.</source>
      <translation>Está a ser iniciado de novo.</translation>
    </message>
    <message>
      <source>Join</source>
      <translation>Entrar</translation>
    </message>
    <message>
      <source>Join a household</source>
      <translation>Entrar numa casa</translation>
    </message>
    <message>
      <source>Join with a link</source>
      <translation>Entrar com um link</translation>
    </message>
    <message>
      <source>Joining the household …</source>
      <translation>A entrar na casa …</translation>
    </message>
    <message>
      <source>Just chat on this computer</source>
      <translation>Só conversar neste computador</translation>
    </message>
    <message>
      <source>Keep running</source>
      <translation>Continuar a correr</translation>
    </message>
    <message>
      <source>Keep the keys in a file</source>
      <translation>Guardar as chaves num ficheiro</translation>
    </message>
    <message>
      <source>Keep the local model in memory</source>
      <translation>Manter o modelo local na memória</translation>
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation>Impedir que este computador adormeça por inatividade enquanto trabalha numa resposta, sua ou de outrem; fechar a tampa continua a valer.</translation>
    </message>
    <message>
      <source>Keep waiting</source>
      <translation>Continuar à espera</translation>
    </message>
    <message>
      <source>Language (after the next start)</source>
      <translation>Idioma (depois do próximo arranque)</translation>
    </message>
    <message>
      <source>Later version</source>
      <translation>Versão posterior</translation>
    </message>
    <message>
      <source>Leave</source>
      <translation>Sair</translation>
    </message>
    <message>
      <source>Leave it first, on the household page.</source>
      <translation>Saia primeiro, na página da casa.</translation>
    </message>
    <message>
      <source>Leave the household</source>
      <translation>Sair da casa</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>Comprimento</translation>
    </message>
    <message>
      <source>Let that computer join anew with an invitation.</source>
      <translation>Deixe esse computador entrar de novo com um convite.</translation>
    </message>
    <message>
      <source>Let this computer answer</source>
      <translation>Deixar responder este computador</translation>
    </message>
    <message>
      <source>Link</source>
      <translation>Link</translation>
    </message>
    <message>
      <source>Local API</source>
      <translation>API local</translation>
    </message>
    <message>
      <source>Local model</source>
      <translation>Modelo local</translation>
    </message>
    <message>
      <source>Longest conversation</source>
      <translation>Conversa mais longa</translation>
    </message>
    <message>
      <source>Longest conversation of your own, question and answer together.</source>
      <translation>A sua conversa mais longa, pergunta e resposta juntas.</translation>
    </message>
    <message>
      <source>Looking for households in this network …</source>
      <translation>A procurar casas nesta rede …</translation>
    </message>
    <message>
      <source>Make a new token</source>
      <translation>Criar um novo token</translation>
    </message>
    <message>
      <source>Make somebody else an owner first.</source>
      <translation>Torne primeiro outra pessoa dona.</translation>
    </message>
    <message>
      <source>Members</source>
      <translation>Membros</translation>
    </message>
    <message>
      <source>Memory for conversations</source>
      <translation>Memória para conversas</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modelo</translation>
    </message>
    <message>
      <source>Model to import</source>
      <translation>Modelo a importar</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Modelos</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Nome</translation>
    </message>
    <message>
      <source>Name of the &amp;household</source>
      <translation>Nome da &amp;casa</translation>
    </message>
    <message>
      <source>Name of the household</source>
      <translation>Nome da casa</translation>
    </message>
    <message>
      <source>Name of this &amp;computer</source>
      <translation>Nome deste &amp;computador</translation>
    </message>
    <message>
      <source>Nearby</source>
      <translation>Por perto</translation>
    </message>
    <message>
      <source>New chat</source>
      <translation>Nova conversa</translation>
    </message>
    <message>
      <source>New chat (Ctrl+N)</source>
      <translation>Nova conversa (Ctrl+N)</translation>
    </message>
    <message>
      <source>New token</source>
      <translation>Novo token</translation>
    </message>
    <message>
      <source>New token …</source>
      <translation>Novo token …</translation>
    </message>
    <message>
      <source>No answer has been given yet.</source>
      <translation>Ainda não foi dada nenhuma resposta.</translation>
    </message>
    <message>
      <source>No household in this network can be asked at the moment.</source>
      <translation>Nenhuma casa nesta rede pode ser contactada neste momento.</translation>
    </message>
    <message>
      <source>Nobody</source>
      <translation>Ninguém</translation>
    </message>
    <message>
      <source>Nobody serves blocks yet.</source>
      <translation>Ainda ninguém serve blocos.</translation>
    </message>
    <message>
      <source>Nobody serves {blocks} now.</source>
      <translation>Ninguém serve {blocks} agora.</translation>
    </message>
    <message>
      <source>Nobody who answers has made this invitation.</source>
      <translation>Ninguém que responde fez este convite.</translation>
    </message>
    <message>
      <source>None of the computers in the invitation answers. Switch one on, or ask for a fresh link.</source>
      <translation>Nenhum dos computadores do convite responde. Ligue um, ou peça um link novo.</translation>
    </message>
    <message>
      <source>None yet.</source>
      <translation>Ainda nenhum.</translation>
    </message>
    <message>
      <source>Nothing found.</source>
      <translation>Nada encontrado.</translation>
    </message>
    <message>
      <source>On a metered network</source>
      <translation>Numa rede paga por volume</translation>
    </message>
    <message>
      <source>On battery</source>
      <translation>Na bateria</translation>
    </message>
    <message>
      <source>One moment</source>
      <translation>Um momento</translation>
    </message>
    <message>
      <source>Open Homeswarm</source>
      <translation>Abrir o Homeswarm</translation>
    </message>
    <message>
      <source>Open invitation for: {role}</source>
      <translation>Convite aberto para: {role}</translation>
    </message>
    <message>
      <source>Open swarm</source>
      <translation>Enxame aberto</translation>
    </message>
    <message>
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation>Outros programas neste computador podem usar o modelo através dela, como através da da OpenAI.</translation>
    </message>
    <message>
      <source>Paste the link that you were sent, or open or paste a picture of its QR code.</source>
      <translation>Cole o link que recebeu, ou abra ou cole uma imagem do seu código QR.</translation>
    </message>
    <message>
      <source>Pasted text</source>
      <translation>Texto colado</translation>
    </message>
    <message>
      <source>Patience</source>
      <translation>Paciência</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>Pausar por uma hora</translation>
    </message>
    <message>
      <source>Paused until {time}, as you asked</source>
      <translation>Em pausa até {time}, como pediu</translation>
    </message>
    <message>
      <source>Paused until {time}: {why}</source>
      <translation>Em pausa até {time}: {why}</translation>
    </message>
    <message>
      <source>Paused, as you asked</source>
      <translation>Em pausa, como pediu</translation>
    </message>
    <message>
      <source>Paused: {why}</source>
      <translation>Em pausa: {why}</translation>
    </message>
    <message>
      <source>Pauses</source>
      <translation>Pausas</translation>
    </message>
    <message>
      <source>Picture …</source>
      <translation>Imagem …</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>Imagens</translation>
    </message>
    <message>
      <source>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</source>
      <translation>A porta em que outros computadores pedem para entrar; 0 mantém a que tinha, de início uma livre.</translation>
    </message>
    <message>
      <source>Port for other computers</source>
      <translation>Porta para outros computadores</translation>
    </message>
    <message>
      <source>Port of the door</source>
      <translation>Porta de entrada</translation>
    </message>
    <message>
      <source>Port of the local API</source>
      <translation>Porta da API local</translation>
    </message>
    <message>
      <source>Port of the local API, on this computer only; 0 takes a free one (api.json in the profile has it).</source>
      <translation>Porta da API local, só neste computador; 0 usa uma livre (está em api.json no perfil).</translation>
    </message>
    <message>
      <source>Port on which other computers reach this one; 0 takes a free one.</source>
      <translation>Porta onde outros computadores alcançam este; 0 usa uma livre.</translation>
    </message>
    <message>
      <source>Power</source>
      <translation>Energia</translation>
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation>A preparar o modelo …</translation>
    </message>
    <message>
      <source>Programs that use the present token are refused until they have the new one.</source>
      <translation>Os programas com o token atual são recusados até terem o novo.</translation>
    </message>
    <message>
      <source>QR code of the invitation</source>
      <translation>Código QR do convite</translation>
    </message>
    <message>
      <source>Question and history</source>
      <translation>Pergunta e histórico</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Sair</translation>
    </message>
    <message>
      <source>Quit Homeswarm</source>
      <translation>Sair do Homeswarm</translation>
    </message>
    <message>
      <source>Read the QR code of an invitation from a picture</source>
      <translation>Ler o código QR de um convite numa imagem</translation>
    </message>
    <message>
      <source>Refuse</source>
      <translation>Recusar</translation>
    </message>
    <message>
      <source>Remember this</source>
      <translation>Lembrar</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Remover</translation>
    </message>
    <message>
      <source>Remove a member</source>
      <translation>Remover um membro</translation>
    </message>
    <message>
      <source>Remove a model</source>
      <translation>Remover um modelo</translation>
    </message>
    <message>
      <source>Remove {name}</source>
      <translation>Remover {name}</translation>
    </message>
    <message>
      <source>Rename this chat</source>
      <translation>Mudar o nome desta conversa</translation>
    </message>
    <message>
      <source>Rename …</source>
      <translation>Mudar o nome …</translation>
    </message>
    <message>
      <source>Restart the node for the new settings: this app has not started it.</source>
      <translation>Reinicie o nó para as novas definições: esta aplicação não o arrancou.</translation>
    </message>
    <message>
      <source>Round trip</source>
      <translation>Ida e volta</translation>
    </message>
    <message>
      <source>Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on this computer alone.</source>
      <translation>Manter um enxame aberto: sem convites nem certificados; quem o alcança está dentro. Para experimentar só neste computador.</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Guardar</translation>
    </message>
    <message>
      <source>Saved.</source>
      <translation>Guardado.</translation>
    </message>
    <message>
      <source>Saved. The node starts anew.</source>
      <translation>Guardado. O nó arranca de novo.</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Procurar</translation>
    </message>
    <message>
      <source>Search all chats</source>
      <translation>Procurar em todas as conversas</translation>
    </message>
    <message>
      <source>Send</source>
      <translation>Enviar</translation>
    </message>
    <message>
      <source>Serves {span}</source>
      <translation>Serve {span}</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Definições</translation>
    </message>
    <message>
      <source>Settings of this chat</source>
      <translation>Definições desta conversa</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>Mostrar tudo</translation>
    </message>
    <message>
      <source>Show all of this message</source>
      <translation>Mostrar toda a mensagem</translation>
    </message>
    <message>
      <source>Show everything</source>
      <translation>Mostrar tudo</translation>
    </message>
    <message>
      <source>Show up nearby</source>
      <translation>Aparecer por perto</translation>
    </message>
    <message>
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation>Silêncio da casa numa resposta após o qual o modelo local assume.</translation>
    </message>
    <message>
      <source>Silence until the local model takes over</source>
      <translation>Silêncio até o modelo local assumir</translation>
    </message>
    <message>
      <source>Slowest speed</source>
      <translation>Velocidade mínima</translation>
    </message>
    <message>
      <source>Some blocks have no computer now. Wake one that holds them, or start another.</source>
      <translation>Alguns blocos não têm agora computador. Acorde um que os tenha, ou ligue outro.</translation>
    </message>
    <message>
      <source>Somebody asks to join</source>
      <translation>Alguém pede para entrar</translation>
    </message>
    <message>
      <source>Something could not be saved</source>
      <translation>Algo não pôde ser gravado</translation>
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation>Algo correu mal dentro do nó. O registo dele tem os pormenores.</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>Começar</translation>
    </message>
    <message>
      <source>Start a household</source>
      <translation>Criar uma casa</translation>
    </message>
    <message>
      <source>Start it again: it goes on where it stopped.</source>
      <translation>Inicie de novo: continua onde parou.</translation>
    </message>
    <message>
      <source>Start or join one on the household page.</source>
      <translation>Crie uma ou entre numa na página da casa.</translation>
    </message>
    <message>
      <source>Start when I log in</source>
      <translation>Arrancar quando inicio sessão</translation>
    </message>
    <message>
      <source>Starting …</source>
      <translation>A arrancar …</translation>
    </message>
    <message>
      <source>State</source>
      <translation>Estado</translation>
    </message>
    <message>
      <source>Stay awake while answering</source>
      <translation>Ficar acordado ao responder</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>Parar a resposta</translation>
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation>Avisar quando um computador adormece ou se perde</translation>
    </message>
    <message>
      <source>That did not work</source>
      <translation>Não resultou</translation>
    </message>
    <message>
      <source>That has been decided meanwhile.</source>
      <translation>Isso já foi decidido entretanto.</translation>
    </message>
    <message numerus="yes">
      <source>The %n oldest message(s) no longer fitted and were left out.</source>
      <translation>
        <numerusform>A mensagem mais antiga já não coube e ficou de fora (%n).</numerusform>
        <numerusform>As %n mensagens mais antigas já não couberam e ficaram de fora.</numerusform>
      </translation>
    </message>
    <message>
      <source>The answer being given comes from this computer alone.</source>
      <translation>A resposta em curso vem só deste computador.</translation>
    </message>
    <message>
      <source>The answer being given goes through {names}.</source>
      <translation>A resposta em curso passa por {names}.</translation>
    </message>
    <message>
      <source>The answer did not begin.</source>
      <translation>A resposta não começou.</translation>
    </message>
    <message>
      <source>The answer reached its longest allowed length.</source>
      <translation>A resposta atingiu o comprimento máximo permitido.</translation>
    </message>
    <message>
      <source>The answer was cut off when Homeswarm ended.</source>
      <translation>A resposta foi cortada quando o Homeswarm terminou.</translation>
    </message>
    <message>
      <source>The blocks to serve to the household: START:END (END not included), auto to choose what the household lacks most, or none to only chat.</source>
      <translation>Os blocos a servir à casa: INÍCIO:FIM (FIM excluído), auto escolhe o que mais falta, none só conversa.</translation>
    </message>
    <message>
      <source>The chats' part of Homeswarm does not run.</source>
      <translation>A parte do Homeswarm para as conversas não está a correr.</translation>
    </message>
    <message>
      <source>The computer is busy with other answers. Try again in a moment.</source>
      <translation>O computador está ocupado com outras respostas. Tente daqui a pouco.</translation>
    </message>
    <message>
      <source>The computers have different versions of Homeswarm. Update the older one.</source>
      <translation>Os computadores têm versões diferentes do Homeswarm. Atualize a mais antiga.</translation>
    </message>
    <message>
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation>Os computadores da sua casa correm juntos um modelo de linguagem. Nada sai de casa.</translation>
    </message>
    <message>
      <source>The connection to the household could not be started. Try again.</source>
      <translation>A ligação à casa não pôde ser iniciada. Tente de novo.</translation>
    </message>
    <message>
      <source>The conversation does not fit the model's memory. Shorten the message or start a new chat.</source>
      <translation>A conversa não cabe na memória do modelo. Encurte a mensagem ou comece uma nova conversa.</translation>
    </message>
    <message>
      <source>The disk is full. Free some space; what you wrote is not lost.</source>
      <translation>O disco está cheio. Liberte espaço; o que escreveu não se perdeu.</translation>
    </message>
    <message>
      <source>The download failed. Start it again: it goes on where it stopped.</source>
      <translation>A transferência falhou. Comece de novo: continua onde parou.</translation>
    </message>
    <message>
      <source>The file with the chats cannot be used.</source>
      <translation>O ficheiro com as conversas não pode ser usado.</translation>
    </message>
    <message>
      <source>The file with the chats was damaged. It lies beside the new one in the profile's folder.</source>
      <translation>O ficheiro com as conversas estava danificado. Está ao lado do novo na pasta do perfil.</translation>
    </message>
    <message>
      <source>The file with the membership is damaged. Leave the household, join anew.</source>
      <translation>O ficheiro da filiação está danificado. Saia da casa e entre de novo.</translation>
    </message>
    <message>
      <source>The folder of the profile cannot be used.</source>
      <translation>A pasta do perfil não pode ser usada.</translation>
    </message>
    <message>
      <source>The household can answer.</source>
      <translation>A casa pode responder.</translation>
    </message>
    <message>
      <source>The household cannot answer ({why}). {model} on this computer could.</source>
      <translation>A casa não pode responder ({why}). {model} neste computador poderia.</translation>
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation>A casa não pode responder até voltarem.</translation>
    </message>
    <message>
      <source>The household cannot answer; the model of this computer could.</source>
      <translation>A casa não pode responder; o modelo deste computador poderia.</translation>
    </message>
    <message>
      <source>The household cannot go on ({why}). {model} on this computer could.</source>
      <translation>A casa não pode continuar ({why}). {model} neste computador poderia.</translation>
    </message>
    <message>
      <source>The household has a new key. Switch on the computer of an owner or admin.</source>
      <translation>A casa tem uma chave nova. Ligue o computador de um dono ou administrador.</translation>
    </message>
    <message>
      <source>The household page says what happened.</source>
      <translation>A página da casa diz o que aconteceu.</translation>
    </message>
    <message>
      <source>The keyring cannot be used. Unlock it and try again, or allow a file that only you can read.</source>
      <translation>O porta-chaves não pode ser usado. Desbloqueie-o e tente de novo, ou permita um ficheiro legível só por si.</translation>
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation>O porta-chaves está bloqueado, por isso este computador não pode provar quem é. Desbloqueie-o.</translation>
    </message>
    <message>
      <source>The keys of the household that this computer has left could not be deleted from the keyring.</source>
      <translation>As chaves da casa que este computador deixou não puderam ser apagadas do porta-chaves.</translation>
    </message>
    <message>
      <source>The last owner cannot go. Make somebody else an owner first.</source>
      <translation>O último dono não pode sair. Torne primeiro outra pessoa dona.</translation>
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation>A última resposta passou por {names}.</translation>
    </message>
    <message>
      <source>The membership has run out. Switch on the computer of an owner or admin to renew it.</source>
      <translation>A filiação expirou. Ligue o computador de um dono ou administrador para a renovar.</translation>
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation>A verificar a participação …</translation>
    </message>
    <message>
      <source>The message is too long to be sent.</source>
      <translation>A mensagem é longa demais.</translation>
    </message>
    <message>
      <source>The model does not fit into the free memory.</source>
      <translation>O modelo não cabe na memória livre.</translation>
    </message>
    <message>
      <source>The model gave nonsense numbers. Ask again, or import it anew.</source>
      <translation>O modelo deu números sem sentido. Pergunte de novo, ou importe-o outra vez.</translation>
    </message>
    <message>
      <source>The model of this computer failed. Ask again.</source>
      <translation>O modelo deste computador falhou. Pergunte de novo.</translation>
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation>O modelo neste computador que responde quando a casa não pode.</translation>
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation>O modelo a correr, pelo nome ou identificador no armazém (ver `homeswarm model list`).</translation>
    </message>
    <message>
      <source>The model's words do not fit its weights. Import it again.</source>
      <translation>As palavras do modelo não condizem com os pesos. Importe-o de novo.</translation>
    </message>
    <message>
      <source>The node does not know what was asked for.</source>
      <translation>O nó não conhece o que foi pedido.</translation>
    </message>
    <message>
      <source>The node ended without a word.</source>
      <translation>O nó terminou sem uma palavra.</translation>
    </message>
    <message>
      <source>The node has ended: {why}</source>
      <translation>O nó terminou: {why}</translation>
    </message>
    <message>
      <source>The node is not running.</source>
      <translation>O nó não está a correr.</translation>
    </message>
    <message>
      <source>The node refused this.</source>
      <translation>O nó recusou isto.</translation>
    </message>
    <message>
      <source>The node said something that this window does not understand.</source>
      <translation>O nó disse algo que esta janela não entende.</translation>
    </message>
    <message>
      <source>The old token is refused from now on.</source>
      <translation>O token antigo é recusado a partir de agora.</translation>
    </message>
    <message>
      <source>The other computer could not prove itself. Try again.</source>
      <translation>O outro computador não se pôde identificar. Tente de novo.</translation>
    </message>
    <message>
      <source>The other computer refused.</source>
      <translation>O outro computador recusou.</translation>
    </message>
    <message>
      <source>The other computer speaks another version of Homeswarm.</source>
      <translation>O outro computador fala outra versão do Homeswarm.</translation>
    </message>
    <message>
      <source>The request makes no sense to the node.</source>
      <translation>O pedido não faz sentido para o nó.</translation>
    </message>
    <message>
      <source>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</source>
      <translation>O mesmo enquanto um programa ocupa o ecrã inteiro: um jogo, um filme, uma palestra. Por predefinição é pausar, pois ali qualquer soluço se nota logo.</translation>
    </message>
    <message>
      <source>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</source>
      <translation>O mesmo enquanto a rede em uso é paga por volume, como a de um telemóvel. Por predefinição é pausar, pois cada pedaço de uma resposta passa por ela.</translation>
    </message>
    <message>
      <source>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</source>
      <translation>O mesmo enquanto este computador usa a bateria. Por predefinição é pausar, pois as respostas dos outros gastá-la-iam; as suas próprias conversas continuam.</translation>
    </message>
    <message>
      <source>The settings list the models of this computer.</source>
      <translation>As definições mostram os modelos deste computador.</translation>
    </message>
    <message>
      <source>The start at login could not be changed.</source>
      <translation>O início com a sessão não pôde ser mudado.</translation>
    </message>
    <message>
      <source>The system does not let Homeswarm delay its sleep.</source>
      <translation>O sistema não deixa o Homeswarm adiar a suspensão.</translation>
    </message>
    <message>
      <source>The token is in the clipboard.</source>
      <translation>O token está na área de transferência.</translation>
    </message>
    <message>
      <source>The two computers have different models. Import the same one on both.</source>
      <translation>Os dois computadores têm modelos diferentes. Importe o mesmo em ambos.</translation>
    </message>
    <message>
      <source>There is no display that a window could open on.</source>
      <translation>Não há ecrã onde abrir uma janela.</translation>
    </message>
    <message>
      <source>There is no invitation's QR code in this picture.</source>
      <translation>Não há código QR de convite nesta imagem.</translation>
    </message>
    <message>
      <source>They said no.</source>
      <translation>Disseram que não.</translation>
    </message>
    <message>
      <source>This app</source>
      <translation>Esta aplicação</translation>
    </message>
    <message>
      <source>This belongs to another household.</source>
      <translation>Isto pertence a outra casa.</translation>
    </message>
    <message>
      <source>This chat is not there any more.</source>
      <translation>Esta conversa já não existe.</translation>
    </message>
    <message>
      <source>This computer can come back only with a new invitation.</source>
      <translation>Este computador só pode voltar com um novo convite.</translation>
    </message>
    <message>
      <source>This computer in the household</source>
      <translation>Este computador na casa</translation>
    </message>
    <message>
      <source>This computer is in a household already. Leave it first.</source>
      <translation>Este computador já está numa casa. Saia dela primeiro.</translation>
    </message>
    <message>
      <source>This computer is in no household any more.</source>
      <translation>Este computador já não está em nenhuma casa.</translation>
    </message>
    <message>
      <source>This computer is in no household yet.</source>
      <translation>Este computador ainda não está em nenhuma casa.</translation>
    </message>
    <message>
      <source>This computer is in no household yet; {model} answers alone.</source>
      <translation>Este computador ainda não está em nenhuma casa; {model} responde sozinho.</translation>
    </message>
    <message>
      <source>This computer may sleep without a word. Answers that run through it then pause for a second.</source>
      <translation>Este computador pode adormecer sem aviso. As respostas que passam por ele param então um segundo.</translation>
    </message>
    <message>
      <source>This computer only chats</source>
      <translation>Este computador só conversa</translation>
    </message>
    <message>
      <source>This computer serves a part of the model to your household while Homeswarm runs.</source>
      <translation>Este computador serve uma parte do modelo à sua casa enquanto o Homeswarm corre.</translation>
    </message>
    <message>
      <source>This computer was removed from the household. An owner can invite it again.</source>
      <translation>Este computador foi removido da casa. Um dono pode convidá-lo de novo.</translation>
    </message>
    <message>
      <source>This computer was removed from {name}.</source>
      <translation>Este computador foi removido de {name}.</translation>
    </message>
    <message>
      <source>This computer, {model}</source>
      <translation>Este computador, {model}</translation>
    </message>
    <message>
      <source>This computer: {facts}</source>
      <translation>Este computador: {facts}</translation>
    </message>
    <message>
      <source>This invitation has run out.</source>
      <translation>Este convite expirou.</translation>
    </message>
    <message>
      <source>This invitation is used by too many computers at once.</source>
      <translation>Este convite é usado por demasiados computadores ao mesmo tempo.</translation>
    </message>
    <message>
      <source>This invitation was cancelled.</source>
      <translation>Este convite foi cancelado.</translation>
    </message>
    <message>
      <source>This invitation was used already.</source>
      <translation>Este convite já foi usado.</translation>
    </message>
    <message>
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation>Este é um enxame aberto neste computador, sem membros nem convites.</translation>
    </message>
    <message>
      <source>This is no whole invitation. Copy all of the link again.</source>
      <translation>Isto não é um convite completo. Copie de novo o link inteiro.</translation>
    </message>
    <message>
      <source>This is the first computer. Invite the others afterwards.</source>
      <translation>Este é o primeiro computador. Convide os outros depois.</translation>
    </message>
    <message>
      <source>This model is not on this computer.</source>
      <translation>Este modelo não está neste computador.</translation>
    </message>
    <message>
      <source>Threads</source>
      <translation>Linhas de execução</translation>
    </message>
    <message>
      <source>Times</source>
      <translation>Tempos</translation>
    </message>
    <message>
      <source>Times to contribute</source>
      <translation>Horas para contribuir</translation>
    </message>
    <message>
      <source>To the first word</source>
      <translation>Até à primeira palavra</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Em conjunto</translation>
    </message>
    <message>
      <source>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</source>
      <translation>Tokens por segundo: se a casa for mais lenta, responde o modelo local. 0 nunca é lento demais.</translation>
    </message>
    <message>
      <source>Too many computers ask at once. Try again in a moment.</source>
      <translation>Demasiados computadores perguntam ao mesmo tempo. Tente daqui a pouco.</translation>
    </message>
    <message>
      <source>Top &amp;p</source>
      <translation>Top &amp;p</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Tentar de novo</translation>
    </message>
    <message>
      <source>Try it out with a small model. You can start or join a household later.</source>
      <translation>Experimente com um modelo pequeno. Pode criar uma casa ou entrar numa mais tarde.</translation>
    </message>
    <message>
      <source>Two computers' clocks are too far apart. Turn on automatic time on both.</source>
      <translation>Os relógios de dois computadores estão muito diferentes. Ligue a hora automática em ambos.</translation>
    </message>
    <message>
      <source>Unlock or install one and try again, or allow a file that only you can read.</source>
      <translation>Desbloqueie ou instale um e tente de novo, ou permita um ficheiro legível só por si.</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>Usar</translation>
    </message>
    <message>
      <source>Use {name}</source>
      <translation>Usar {name}</translation>
    </message>
    <message>
      <source>Wake or start {names}.</source>
      <translation>Acorde ou inicie {names}.</translation>
    </message>
    <message>
      <source>Welcome to Homeswarm</source>
      <translation>Bem-vindo ao Homeswarm</translation>
    </message>
    <message>
      <source>What changed lately</source>
      <translation>Mudanças recentes</translation>
    </message>
    <message>
      <source>What happens to contributing while somebody uses this computer, and for five minutes after: gentle lets their programs go first and still answers the household; pause serves nobody else meanwhile; ignore makes no difference. Gentle by default, because most use leaves a processor idle.</source>
      <translation>O que acontece com a contribuição enquanto alguém usa este computador e por cinco minutos depois: com suavidade deixa os outros programas passarem à frente e continua a responder à casa; pausar não serve mais ninguém nesse tempo; sem diferença não muda nada. Por predefinição é com suavidade, pois no uso comum sobra processador.</translation>
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation>O que o modelo consegue ter presente de uma vez. Quando está cheio, as mensagens mais antigas ficam de fora.</translation>
    </message>
    <message>
      <source>What the model is for</source>
      <translation>Para que é o modelo</translation>
    </message>
    <message>
      <source>What this computer is called in the household.</source>
      <translation>Como este computador se chama na casa.</translation>
    </message>
    <message>
      <source>What would you like to know?</source>
      <translation>O que gostaria de saber?</translation>
    </message>
    <message>
      <source>What your answers do about a computer that is late but lives: wait for it; hedge, which starts another one beside it and takes whichever is first; or reroute, which moves away once the wait has cost as much as the move. Hedging costs the others a little work, and you nothing when the guess was wrong.</source>
      <translation>O que fazem as suas respostas com um computador atrasado mas vivo: esperam; perguntam a outro ao lado e ficam com o primeiro; ou mudam, quando a espera já custou tanto como a mudança. Perguntar ao lado custa um pouco de trabalho aos outros, e nada a si se a suspeita estava errada.</translation>
    </message>
    <message>
      <source>When a computer is late</source>
      <translation>Quando um computador se atrasa</translation>
    </message>
    <message>
      <source>When the household &amp;cannot</source>
      <translation>Quando a casa &amp;não pode</translation>
    </message>
    <message>
      <source>When the household cannot answer</source>
      <translation>Quando a casa não pode responder</translation>
    </message>
    <message>
      <source>When the household cannot answer in time: auto lets the local model begin or go on, and says so; ask leaves it to you; never waits for the household alone.</source>
      <translation>Quando a casa não responde a tempo: automático deixa o modelo local começar ou continuar, e di-lo; perguntar deixa-o consigo; nunca espera só pela casa.</translation>
    </message>
    <message>
      <source>When the local model is in memory: auto while you chat and the household has no spare computer, one is in doubt, or it answers; always, all the time.</source>
      <translation>Quando o modelo local está na memória: automático enquanto conversa e a casa não tem reserva, algum computador está em dúvida, ou ele responde; sempre, o tempo todo.</translation>
    </message>
    <message>
      <source>When the window is closed</source>
      <translation>Quando a janela é fechada</translation>
    </message>
    <message>
      <source>When this computer contributes: always, or times of day such as 22:00-07:00, or with days mon-fri 18:00-23:00, sat-sun 00:00-24:00. Always by default: a computer that is on can help.</source>
      <translation>Quando este computador contribui: always (sempre), ou horários como 22:00-07:00, ou com dias mon-fri 18:00-23:00, sat-sun 00:00-24:00. Por predefinição é sempre: um computador ligado pode ajudar.</translation>
    </message>
    <message>
      <source>Where the keys are kept</source>
      <translation>Onde ficam as chaves</translation>
    </message>
    <message>
      <source>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</source>
      <translation>Onde ficam as chaves deste computador: no porta-chaves do sistema, ou num ficheiro do perfil legível só por si.</translation>
    </message>
    <message>
      <source>Whether an owner's or admin's computer tells the network that a household is here which one can ask to join, and a computer in no swarm looks for one.</source>
      <translation>Se o computador de um dono ou administrador anuncia na rede que há aqui uma casa a que se pode pedir para entrar, e se um computador sem enxame a procura.</translation>
    </message>
    <message>
      <source>Whether somebody uses this computer cannot be known here.</source>
      <translation>Aqui não se pode saber se alguém usa este computador.</translation>
    </message>
    <message>
      <source>While a program fills the screen</source>
      <translation>Enquanto um programa ocupa o ecrã</translation>
    </message>
    <message>
      <source>While somebody uses this computer</source>
      <translation>Enquanto alguém usa este computador</translation>
    </message>
    <message>
      <source>Who answered</source>
      <translation>Quem respondeu</translation>
    </message>
    <message>
      <source>Who answers</source>
      <translation>Quem responde</translation>
    </message>
    <message>
      <source>Who answers unless a chat or a request says otherwise: the household, or the local model.</source>
      <translation>Quem responde, salvo se uma conversa ou um pedido disser outra coisa: a casa, ou o modelo local.</translation>
    </message>
    <message>
      <source>Who went on</source>
      <translation>Quem continuou</translation>
    </message>
    <message>
      <source>Without a chat for this long, the memory of the local model is given back.</source>
      <translation>Sem conversa durante este tempo, a memória do modelo local é libertada.</translation>
    </message>
    <message>
      <source>You are in {name} as: {role}.</source>
      <translation>Está em {name} como: {role}.</translation>
    </message>
    <message>
      <source>You edit an earlier message. The old one and its answer are kept.</source>
      <translation>Está a editar uma mensagem anterior. A antiga e a sua resposta são mantidas.</translation>
    </message>
    <message>
      <source>You get an invitation link for the others once it runs. Only who has one can join.</source>
      <translation>Recebe um link de convite para os outros assim que estiver a correr. Só entra quem tiver um.</translation>
    </message>
    <message>
      <source>You may not do this. Ask an owner or admin of the household.</source>
      <translation>Não pode fazer isto. Peça a um dono ou administrador da casa.</translation>
    </message>
    <message>
      <source>You stopped this answer.</source>
      <translation>Parou esta resposta.</translation>
    </message>
    <message>
      <source>Your chats will be listed here.</source>
      <translation>As suas conversas aparecerão aqui.</translation>
    </message>
    <message>
      <source>Your choice about contributing holds only until Homeswarm stops: it cannot be written. Free some space.</source>
      <translation>A sua escolha sobre contribuir vale só até o Homeswarm parar: não pode ser gravada. Liberte algum espaço.</translation>
    </message>
    <message>
      <source>Your message</source>
      <translation>A sua mensagem</translation>
    </message>
    <message>
      <source>a computer</source>
      <translation>um computador</translation>
    </message>
    <message>
      <source>a part of Homeswarm is not running</source>
      <translation>uma parte do Homeswarm não está a correr</translation>
    </message>
    <message>
      <source>a program fills the screen</source>
      <translation>um programa ocupa o ecrã inteiro</translation>
    </message>
    <message>
      <source>about {memory} of memory</source>
      <translation>cerca de {memory} de memória</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens</source>
      <translation>cerca de {used} de {all} tokens</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens: too long</source>
      <translation>cerca de {used} de {all} tokens: demasiado longo</translation>
    </message>
    <message>
      <source>admin</source>
      <translation>administrador</translation>
    </message>
    <message numerus="yes">
      <source>after %n token(s)</source>
      <translation>
        <numerusform>após %n token</numerusform>
        <numerusform>após %n tokens</numerusform>
      </translation>
    </message>
    <message>
      <source>always</source>
      <translation>sempre</translation>
    </message>
    <message numerus="yes">
      <source>and %n more pause(s)</source>
      <translation>
        <numerusform>e mais %n pausa</numerusform>
        <numerusform>e mais %n pausas</numerusform>
      </translation>
    </message>
    <message>
      <source>announces blocks that the model does not have</source>
      <translation>anuncia blocos que o modelo não tem</translation>
    </message>
    <message>
      <source>announces itself, but does not answer this computer</source>
      <translation>anuncia-se, mas não responde a este computador</translation>
    </message>
    <message>
      <source>another computer has the same identity</source>
      <translation>outro computador tem a mesma identidade</translation>
    </message>
    <message>
      <source>answering …</source>
      <translation>a responder …</translation>
    </message>
    <message>
      <source>answers other computers, but not this one</source>
      <translation>responde a outros computadores, mas não a este</translation>
    </message>
    <message>
      <source>as in the settings</source>
      <translation>como nas definições</translation>
    </message>
    <message>
      <source>as long as it needs</source>
      <translation>tão longa quanto preciso</translation>
    </message>
    <message>
      <source>as the system</source>
      <translation>como o sistema</translation>
    </message>
    <message>
      <source>as you asked</source>
      <translation>como pediu</translation>
    </message>
    <message>
      <source>ask</source>
      <translation>perguntar</translation>
    </message>
    <message>
      <source>ask another one beside it</source>
      <translation>perguntar a outro ao lado</translation>
    </message>
    <message>
      <source>ask me</source>
      <translation>perguntar-me</translation>
    </message>
    <message>
      <source>asleep</source>
      <translation>a dormir</translation>
    </message>
    <message>
      <source>automatic</source>
      <translation>automático</translation>
    </message>
    <message>
      <source>available</source>
      <translation>disponível</translation>
    </message>
    <message>
      <source>battery</source>
      <translation>bateria</translation>
    </message>
    <message>
      <source>block {first}</source>
      <translation>bloco {first}</translation>
    </message>
    <message>
      <source>blocks {first} to {last}</source>
      <translation>blocos {first} a {last}</translation>
    </message>
    <message>
      <source>broke off the connection</source>
      <translation>cortou a ligação</translation>
    </message>
    <message>
      <source>cannot be reached</source>
      <translation>não pode ser alcançado</translation>
    </message>
    <message>
      <source>catching up</source>
      <translation>recuperar</translation>
    </message>
    <message>
      <source>code</source>
      <translation>código</translation>
    </message>
    <message>
      <source>contributing is paused</source>
      <translation>a contribuição está em pausa</translation>
    </message>
    <message>
      <source>did not answer for {time}</source>
      <translation>não respondeu durante {time}</translation>
    </message>
    <message>
      <source>every block has a spare</source>
      <translation>todos os blocos têm reserva</translation>
    </message>
    <message>
      <source>every block is served, some by one computer only</source>
      <translation>todos os blocos são servidos, alguns só por um computador</translation>
    </message>
    <message>
      <source>everything covered</source>
      <translation>tudo coberto</translation>
    </message>
    <message>
      <source>finding a way</source>
      <translation>procurar caminho</translation>
    </message>
    <message>
      <source>for tests</source>
      <translation>para testes</translation>
    </message>
    <message>
      <source>for the household</source>
      <translation>para a casa</translation>
    </message>
    <message>
      <source>for this computer</source>
      <translation>para este computador</translation>
    </message>
    <message>
      <source>gives the others more time ({why})</source>
      <translation>dá mais tempo aos outros ({why})</translation>
    </message>
    <message>
      <source>go gently</source>
      <translation>com suavidade</translation>
    </message>
    <message>
      <source>guest</source>
      <translation>convidado</translation>
    </message>
    <message>
      <source>household</source>
      <translation>casa</translation>
    </message>
    <message>
      <source>in a file</source>
      <translation>num ficheiro</translation>
    </message>
    <message>
      <source>in one home</source>
      <translation>numa casa</translation>
    </message>
    <message>
      <source>in the keyring</source>
      <translation>no porta-chaves</translation>
    </message>
    <message>
      <source>in use</source>
      <translation>em uso</translation>
    </message>
    <message>
      <source>is being answered</source>
      <translation>está a ser respondida</translation>
    </message>
    <message>
      <source>it has no model to share</source>
      <translation>não tem modelo para partilhar</translation>
    </message>
    <message>
      <source>it is about to sleep</source>
      <translation>está prestes a dormir</translation>
    </message>
    <message>
      <source>it is being stopped</source>
      <translation>está a ser parado</translation>
    </message>
    <message>
      <source>it is in no household</source>
      <translation>não está em nenhuma casa</translation>
    </message>
    <message>
      <source>it is outside the times that you set</source>
      <translation>está fora dos horários que definiu</translation>
    </message>
    <message>
      <source>it is still looking for the others</source>
      <translation>ainda procura os outros</translation>
    </message>
    <message>
      <source>it is still starting</source>
      <translation>ainda está a iniciar</translation>
    </message>
    <message>
      <source>it is very busy</source>
      <translation>está muito ocupado</translation>
    </message>
    <message>
      <source>it just changed its network</source>
      <translation>acabou de mudar de rede</translation>
    </message>
    <message>
      <source>it just woke up</source>
      <translation>acabou de acordar</translation>
    </message>
    <message>
      <source>it was removed from its household</source>
      <translation>foi removido da sua casa</translation>
    </message>
    <message>
      <source>its keys cannot be read now</source>
      <translation>as suas chaves não podem ser lidas agora</translation>
    </message>
    <message>
      <source>its membership is being checked</source>
      <translation>a sua participação está a ser verificada</translation>
    </message>
    <message>
      <source>its own blocks are being loaded</source>
      <translation>os seus próprios blocos estão a ser carregados</translation>
    </message>
    <message>
      <source>its own blocks are paused</source>
      <translation>os seus próprios blocos estão em pausa</translation>
    </message>
    <message>
      <source>joining</source>
      <translation>a entrar</translation>
    </message>
    <message>
      <source>just now</source>
      <translation>agora mesmo</translation>
    </message>
    <message>
      <source>keep running in the tray</source>
      <translation>continuar na bandeja</translation>
    </message>
    <message>
      <source>language-code</source>
      <translation>pt</translation>
    </message>
    <message>
      <source>left</source>
      <translation>saiu</translation>
    </message>
    <message>
      <source>less than an hour left</source>
      <translation>falta menos de uma hora</translation>
    </message>
    <message>
      <source>let this computer answer</source>
      <translation>deixar responder este computador</translation>
    </message>
    <message>
      <source>looking for the others …</source>
      <translation>à procura dos outros …</translation>
    </message>
    <message>
      <source>mains</source>
      <translation>rede elétrica</translation>
    </message>
    <message>
      <source>member</source>
      <translation>membro</translation>
    </message>
    <message>
      <source>missing</source>
      <translation>em falta</translation>
    </message>
    <message>
      <source>move away from it</source>
      <translation>mudar para outro</translation>
    </message>
    <message>
      <source>moved to another address</source>
      <translation>mudou para outro endereço</translation>
    </message>
    <message>
      <source>network {name}</source>
      <translation>rede {name}</translation>
    </message>
    <message>
      <source>never</source>
      <translation>nunca</translation>
    </message>
    <message>
      <source>no</source>
      <translation>não</translation>
    </message>
    <message>
      <source>no difference</source>
      <translation>sem diferença</translation>
    </message>
    <message>
      <source>no other computer is there</source>
      <translation>não há outro computador</translation>
    </message>
    <message>
      <source>nobody</source>
      <translation>ninguém</translation>
    </message>
    <message>
      <source>nobody answers it, so its own connection may be down</source>
      <translation>ninguém lhe responde, talvez a sua própria ligação tenha caído</translation>
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation>ninguém serve {blocks}</translation>
    </message>
    <message>
      <source>not shared with anybody</source>
      <translation>não partilhado com ninguém</translation>
    </message>
    <message>
      <source>not sure</source>
      <translation>incerto</translation>
    </message>
    <message>
      <source>noticing</source>
      <translation>notar</translation>
    </message>
    <message>
      <source>on</source>
      <translation>ligado</translation>
    </message>
    <message>
      <source>on battery</source>
      <translation>a bateria</translation>
    </message>
    <message>
      <source>on mains power</source>
      <translation>ligado à corrente</translation>
    </message>
    <message>
      <source>over the internet</source>
      <translation>pela internet</translation>
    </message>
    <message>
      <source>owner</source>
      <translation>dono</translation>
    </message>
    <message>
      <source>pause</source>
      <translation>pausar</translation>
    </message>
    <message>
      <source>paused contributing</source>
      <translation>fez uma pausa na contribuição</translation>
    </message>
    <message>
      <source>quit</source>
      <translation>sair</translation>
    </message>
    <message>
      <source>reading the question …</source>
      <translation>a ler a pergunta …</translation>
    </message>
    <message>
      <source>serves another model</source>
      <translation>serve outro modelo</translation>
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation>serve {span} com {memory}</translation>
    </message>
    <message>
      <source>some blocks have no computer</source>
      <translation>alguns blocos não têm computador</translation>
    </message>
    <message>
      <source>somebody uses this computer</source>
      <translation>alguém usa este computador</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>a iniciar</translation>
    </message>
    <message>
      <source>stopped announcing itself</source>
      <translation>deixou de se anunciar</translation>
    </message>
    <message>
      <source>stopped serving</source>
      <translation>deixou de servir</translation>
    </message>
    <message>
      <source>takes {time} for a step</source>
      <translation>demora {time} num passo</translation>
    </message>
    <message>
      <source>text</source>
      <translation>texto</translation>
    </message>
    <message>
      <source>the connection to {peer} broke</source>
      <translation>a ligação a {peer} caiu</translation>
    </message>
    <message>
      <source>the connection to {peer} was slow</source>
      <translation>a ligação a {peer} estava lenta</translation>
    </message>
    <message>
      <source>the household</source>
      <translation>a casa</translation>
    </message>
    <message>
      <source>the household could not go on</source>
      <translation>a casa não pôde continuar</translation>
    </message>
    <message>
      <source>the household gives {rate} tokens/s only</source>
      <translation>a casa dá só {rate} tokens/s</translation>
    </message>
    <message>
      <source>the household has been back for {time} only</source>
      <translation>a casa voltou há apenas {time}</translation>
    </message>
    <message>
      <source>the household was silent for {time}</source>
      <translation>a casa esteve calada {time}</translation>
    </message>
    <message>
      <source>the network is paid by volume</source>
      <translation>a rede é paga por volume</translation>
    </message>
    <message>
      <source>the only model in the store</source>
      <translation>o único modelo no armazém</translation>
    </message>
    <message>
      <source>the user's local models</source>
      <translation>os modelos locais do utilizador</translation>
    </message>
    <message>
      <source>the user's model store</source>
      <translation>o armazém de modelos do utilizador</translation>
    </message>
    <message>
      <source>this computer alone</source>
      <translation>só este computador</translation>
    </message>
    <message>
      <source>this computer alone answers ({why}) …</source>
      <translation>este computador responde sozinho ({why}) …</translation>
    </message>
    <message>
      <source>this computer answers …</source>
      <translation>este computador responde …</translation>
    </message>
    <message>
      <source>this computer runs on battery</source>
      <translation>este computador está a usar a bateria</translation>
    </message>
    <message>
      <source>this computer's name</source>
      <translation>o nome deste computador</translation>
    </message>
    <message>
      <source>unreachable</source>
      <translation>inacessível</translation>
    </message>
    <message>
      <source>wait for it</source>
      <translation>esperar por ele</translation>
    </message>
    <message>
      <source>wait for the household</source>
      <translation>esperar pela casa</translation>
    </message>
    <message>
      <source>was stopped</source>
      <translation>foi parado</translation>
    </message>
    <message>
      <source>what homeswarm local use chose</source>
      <translation>o modelo escolhido acima</translation>
    </message>
    <message>
      <source>wire</source>
      <translation>cabo</translation>
    </message>
    <message>
      <source>wireless</source>
      <translation>sem fios</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>sim</translation>
    </message>
    <message>
      <source>{model} answers on this computer.</source>
      <translation>{model} responde neste computador.</translation>
    </message>
    <message>
      <source>{model} is being made ready …</source>
      <translation>{model} está a ser preparado …</translation>
    </message>
    <message>
      <source>{moved}, where another kind of processor may choose other words</source>
      <translation>{moved}, onde outro tipo de processador pode escolher outras palavras</translation>
    </message>
    <message>
      <source>{names} answer together with {model}.</source>
      <translation>{names} respondem juntos com {model}.</translation>
    </message>
    <message>
      <source>{names} asleep</source>
      <translation>{names} a dormir</translation>
    </message>
    <message>
      <source>{names}: a newer version of Homeswarm; update this computer</source>
      <translation>{names}: uma versão mais recente do Homeswarm; atualize este computador</translation>
    </message>
    <message>
      <source>{names}: an older version of Homeswarm; update it there</source>
      <translation>{names}: uma versão mais antiga do Homeswarm; atualize lá</translation>
    </message>
    <message>
      <source>{names}: another version of Homeswarm; update the older one</source>
      <translation>{names}: outra versão do Homeswarm; atualize a mais antiga</translation>
    </message>
    <message>
      <source>{names}: asleep</source>
      <translation>{names}: a dormir</translation>
    </message>
    <message>
      <source>{names}: cannot be used</source>
      <translation>{names}: não utilizável</translation>
    </message>
    <message>
      <source>{names}: no answer</source>
      <translation>{names}: sem resposta</translation>
    </message>
    <message>
      <source>{names}: paused</source>
      <translation>{names}: em pausa</translation>
    </message>
    <message>
      <source>{names}: still loading</source>
      <translation>{names}: ainda a carregar</translation>
    </message>
    <message>
      <source>{names}: stopped</source>
      <translation>{names}: parado</translation>
    </message>
    <message>
      <source>{name} can no longer use the household's model, on any computer.</source>
      <translation>{name} deixa de poder usar o modelo da casa, em qualquer computador.</translation>
    </message>
    <message>
      <source>{name} cannot be read: {why}.</source>
      <translation>{name} não pode ser lido: {why}.</translation>
    </message>
    <message>
      <source>{name} cannot be written: {why}.</source>
      <translation>{name} não pode ser escrito: {why}.</translation>
    </message>
    <message>
      <source>{name} does not answer any more.</source>
      <translation>{name} já não responde.</translation>
    </message>
    <message>
      <source>{name} is larger than {size}.</source>
      <translation>{name} é maior do que {size}.</translation>
    </message>
    <message>
      <source>{name} is not a text file.</source>
      <translation>{name} não é um ficheiro de texto.</translation>
    </message>
    <message>
      <source>{name} is removed.</source>
      <translation>{name} foi removido.</translation>
    </message>
    <message>
      <source>{name} is there.</source>
      <translation>{name} já cá está.</translation>
    </message>
    <message>
      <source>{name} wants to join. It must show {digits}.</source>
      <translation>{name} quer entrar. Tem de mostrar {digits}.</translation>
    </message>
    <message>
      <source>{name} went to sleep.</source>
      <translation>{name} adormeceu.</translation>
    </message>
    <message>
      <source>{name}: this cannot be entered here. {help}</source>
      <translation>{name}: isto não pode ser introduzido aqui. {help}</translation>
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation>{peer} não conseguiu continuar</translation>
    </message>
    <message>
      <source>{peer} did not answer in time</source>
      <translation>{peer} não respondeu a tempo</translation>
    </message>
    <message>
      <source>{peer} paused contributing</source>
      <translation>{peer} fez uma pausa na contribuição</translation>
    </message>
    <message>
      <source>{peer} stopped answering</source>
      <translation>{peer} deixou de responder</translation>
    </message>
    <message>
      <source>{peer} was slow to compute</source>
      <translation>{peer} calculou devagar</translation>
    </message>
    <message>
      <source>{peer} was stopped</source>
      <translation>{peer} foi parado</translation>
    </message>
    <message>
      <source>{peer} was too slow</source>
      <translation>{peer} foi demasiado lento</translation>
    </message>
    <message>
      <source>{peer} went to sleep</source>
      <translation>{peer} adormeceu</translation>
    </message>
    <message>
      <source>{rate} tokens/s</source>
      <translation>{rate} tokens/s</translation>
    </message>
    <message>
      <source>{what}; moved to {others} in {time}</source>
      <translation>{what}; passou para {others} em {time}</translation>
    </message>
    <message>
      <source>{what}; waited {time} for it</source>
      <translation>{what}; esperou-se {time}</translation>
    </message>
    <message>
      <source>{why}; this computer went on alone in {time}</source>
      <translation>{why}; este computador continuou sozinho em {time}</translation>
    </message>
  </context>
</TS>
