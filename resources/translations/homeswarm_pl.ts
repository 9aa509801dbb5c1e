<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="pl" sourcelanguage="en">
  <context>
    <name>homeswarm</name>
    <message>
      <source> and </source>
      <translation> i </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s)</source>
      <translation>
        <numerusform>%n blok</numerusform>
        <numerusform>%n bloki</numerusform>
        <numerusform>%n bloków</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s) missing</source>
      <translation>
        <numerusform>brakuje %n bloku</numerusform>
        <numerusform>brakuje %n bloków</numerusform>
        <numerusform>brakuje %n bloków</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n computer(s)</source>
      <translation>
        <numerusform>%n komputer</numerusform>
        <numerusform>%n komputery</numerusform>
        <numerusform>%n komputerów</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s)</source>
      <translation>
        <numerusform>%n rozmowa</numerusform>
        <numerusform>%n rozmowy</numerusform>
        <numerusform>%n rozmów</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s) now</source>
      <translation>
        <numerusform>%n rozmowa teraz</numerusform>
        <numerusform>%n rozmowy teraz</numerusform>
        <numerusform>%n rozmów teraz</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s)</source>
      <translation>
        <numerusform>%n dzień</numerusform>
        <numerusform>%n dni</numerusform>
        <numerusform>%n dni</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s) ago</source>
      <translation>
        <numerusform>%n dzień temu</numerusform>
        <numerusform>%n dni temu</numerusform>
        <numerusform>%n dni temu</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s)</source>
      <translation>
        <numerusform>%n godzinę</numerusform>
        <numerusform>%n godziny</numerusform>
        <numerusform>%n godzin</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) ago</source>
      <translation>
        <numerusform>%n godzinę temu</numerusform>
        <numerusform>%n godziny temu</numerusform>
        <numerusform>%n godzin temu</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) left</source>
      <translation>
        <numerusform>jeszcze %n godzina</numerusform>
        <numerusform>jeszcze %n godziny</numerusform>
        <numerusform>jeszcze %n godzin</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n millisecond(s)</source>
      <translation>
        <numerusform>%n milisekunda</numerusform>
        <numerusform>%n milisekundy</numerusform>
        <numerusform>%n milisekund</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s)</source>
      <translation>
        <numerusform>%n minutę</numerusform>
        <numerusform>%n minuty</numerusform>
        <numerusform>%n minut</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s) ago</source>
      <translation>
        <numerusform>%n minutę temu</numerusform>
        <numerusform>%n minuty temu</numerusform>
        <numerusform>%n minut temu</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n second(s)</source>
      <translation>
        <numerusform>%n sekunda</numerusform>
        <numerusform>%n sekundy</numerusform>
        <numerusform>%n sekund</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n token(s)</source>
      <translation>
        <numerusform>%n token</numerusform>
        <numerusform>%n tokeny</numerusform>
        <numerusform>%n tokenów</numerusform>
      </translation>
    </message>
    <message>
      <source>&amp;Instruction for the model</source>
      <translation>&amp;Polecenie dla modelu</translation>
    </message>
    <message>
      <source>&amp;Link</source>
      <translation>&amp;Link</translation>
    </message>
    <message>
      <source>&amp;Longest answer</source>
      <translation>&amp;Najdłuższa odpowiedź</translation>
    </message>
    <message>
      <source>&amp;Repeatable, with this seed</source>
      <translation>&amp;Powtarzalnie, z tym ziarnem</translation>
    </message>
    <message>
      <source>&amp;Temperature</source>
      <translation>&amp;Temperatura</translation>
    </message>
    <message>
      <source>&amp;Who answers</source>
      <translation>K&amp;to odpowiada</translation>
    </message>
    <message>
      <source>(this computer)</source>
      <translation>(ten komputer)</translation>
    </message>
    <message>
      <source>, then </source>
      <translation>, potem </translation>
    </message>
    <message>
      <source>0 always takes the likeliest word; higher is more varied.</source>
      <translation>0 zawsze bierze najbardziej prawdopodobne słowo; wyżej jest bardziej różnorodnie.</translation>
    </message>
    <message>
      <source>A certificate does not fit. Let that computer join anew.</source>
      <translation>Certyfikat się nie zgadza. Dołącz ten komputer na nowo.</translation>
    </message>
    <message>
      <source>A computer has no memory left for this conversation.</source>
      <translation>Jeden z komputerów nie ma już pamięci na tę rozmowę.</translation>
    </message>
    <message>
      <source>A computer is about to sleep. Ask again: another way is taken.</source>
      <translation>Jeden z komputerów zaraz zaśnie. Zapytaj ponownie: zostanie wybrana inna droga.</translation>
    </message>
    <message>
      <source>A computer is gone</source>
      <translation>Komputer zniknął</translation>
    </message>
    <message>
      <source>A computer is no member of this household. Let it join with an invitation.</source>
      <translation>Komputer nie należy do tego domu. Dołącz go zaproszeniem.</translation>
    </message>
    <message>
      <source>A computer of the household cannot be used now.</source>
      <translation>Komputera z domu nie można teraz użyć.</translation>
    </message>
    <message>
      <source>A computer refused its part of the work.</source>
      <translation>Jeden z komputerów odmówił swojej części pracy.</translation>
    </message>
    <message>
      <source>A computer shows the certificate of another one.</source>
      <translation>Komputer pokazuje certyfikat innego komputera.</translation>
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation>Jeden z komputerów przestał odpowiadać w połowie. Zapytaj ponownie: zostanie wybrana inna droga.</translation>
    </message>
    <message>
      <source>A file cannot be read or written.</source>
      <translation>Pliku nie można odczytać lub zapisać.</translation>
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation>Plik modelu jest uszkodzony. Zaimportuj go ponownie.</translation>
    </message>
    <message>
      <source>A list of members was signed by a computer that had been removed.</source>
      <translation>Listę członków podpisał usunięty komputer.</translation>
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation>Wiadomość przyjmuje najwyżej {count} plików.</translation>
    </message>
    <message>
      <source>A model</source>
      <translation>Model</translation>
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation>Z tym profilem działa już węzeł.</translation>
    </message>
    <message>
      <source>A part of Homeswarm has no membership yet. Try again in a moment.</source>
      <translation>Część Homeswarm nie ma jeszcze członkostwa. Spróbuj za chwilę.</translation>
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation>Część Homeswarm nie działa. Strona domu mówi, co się stało.</translation>
    </message>
    <message>
      <source>A picture of the QR code</source>
      <translation>Obraz kodu QR</translation>
    </message>
    <message>
      <source>A second computer keeps up</source>
      <translation>Drugi komputer nadąża</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adres</translation>
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation>Adres, pod którym inne komputery osiągają ten.</translation>
    </message>
    <message>
      <source>Address to listen at</source>
      <translation>Adres nasłuchu</translation>
    </message>
    <message>
      <source>Addresses to join by</source>
      <translation>Adresy do dołączenia</translation>
    </message>
    <message>
      <source>After a pause of this long in which you did not chat either, the memory of the blocks is given back; they are loaded anew when contributing begins again. 0 keeps it, so that they are there at once.</source>
      <translation>Po tak długiej przerwie bez własnych rozmów pamięć bloków jest zwalniana; wczytają się od nowa, gdy udostępnianie ruszy. 0 zachowuje ją, żeby były od razu.</translation>
    </message>
    <message>
      <source>After that</source>
      <translation>Potem</translation>
    </message>
    <message>
      <source>An invitation begins with {start}.</source>
      <translation>Zaproszenie zaczyna się od {start}.</translation>
    </message>
    <message>
      <source>An owner or admin can invite this computer again.</source>
      <translation>Właściciel lub administrator może zaprosić ten komputer ponownie.</translation>
    </message>
    <message>
      <source>An update is needed</source>
      <translation>Potrzebna aktualizacja</translation>
    </message>
    <message>
      <source>Another computer uses the same identity. Only one of them can take part.</source>
      <translation>Inny komputer używa tej samej tożsamości. Tylko jeden z nich może brać udział.</translation>
    </message>
    <message>
      <source>Another program uses a port that Homeswarm was to have.</source>
      <translation>Inny program używa portu, który miał mieć Homeswarm.</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>Odpowiedź</translation>
    </message>
    <message>
      <source>Answer again</source>
      <translation>Odpowiedz ponownie</translation>
    </message>
    <message>
      <source>Approve</source>
      <translation>Zaakceptuj</translation>
    </message>
    <message>
      <source>Approve this computer on {name}, where it must show {digits}. Waiting for that …</source>
      <translation>Zatwierdź ten komputer na {name}; musi tam być widać {digits}. Czekam …</translation>
    </message>
    <message>
      <source>Ask again; if it happens again, import the model anew.</source>
      <translation>Zapytaj ponownie; jeśli się powtórzy, zaimportuj model na nowo.</translation>
    </message>
    <message>
      <source>Ask for a new link.</source>
      <translation>Poproś o nowy link.</translation>
    </message>
    <message>
      <source>Ask something …</source>
      <translation>Zapytaj o coś …</translation>
    </message>
    <message>
      <source>Ask {name} to let this computer in</source>
      <translation>Poproś {name} o wpuszczenie tego komputera</translation>
    </message>
    <message>
      <source>Asleep: {names}</source>
      <translation>Śpią: {names}</translation>
    </message>
    <message>
      <source>Attach text files</source>
      <translation>Dołącz pliki tekstowe</translation>
    </message>
    <message>
      <source>Attention cache for the conversations of the whole household on this computer.</source>
      <translation>Pamięć podręczna dla rozmów całego domu na tym komputerze.</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Wstecz</translation>
    </message>
    <message>
      <source>Between two tokens, 19 times of 20 at most</source>
      <translation>Między dwoma tokenami, 19 razy na 20 najwyżej</translation>
    </message>
    <message>
      <source>Between two tokens, usually</source>
      <translation>Między dwoma tokenami, zwykle</translation>
    </message>
    <message>
      <source>Blocks</source>
      <translation>Bloki</translation>
    </message>
    <message>
      <source>Blocks are missing</source>
      <translation>Brakuje bloków</translation>
    </message>
    <message>
      <source>Blocks of the model and who serves them</source>
      <translation>Bloki modelu i kto je udostępnia</translation>
    </message>
    <message>
      <source>Blocks to serve</source>
      <translation>Udostępniane bloki</translation>
    </message>
    <message>
      <source>By an invitation, its QR code, or by asking a computer nearby.</source>
      <translation>Zaproszeniem, jego kodem QR lub pytając komputer w pobliżu.</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Anuluj</translation>
    </message>
    <message>
      <source>Cancel the invitation</source>
      <translation>Wycofaj zaproszenie</translation>
    </message>
    <message>
      <source>Changes of the household hold only until Homeswarm stops: they cannot be written. Free some space.</source>
      <translation>Zmiany w domu obowiązują tylko do zatrzymania Homeswarm: nie można ich zapisać. Zwolnij trochę miejsca.</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>Czaty</translation>
    </message>
    <message>
      <source>Chooses among the likeliest words that together have this probability.</source>
      <translation>Wybiera spośród najbardziej prawdopodobnych słów, które razem mają to prawdopodobieństwo.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Zamknij</translation>
    </message>
    <message>
      <source>Close other programs, or choose a smaller model in the settings.</source>
      <translation>Zamknij inne programy lub wybierz w ustawieniach mniejszy model.</translation>
    </message>
    <message>
      <source>Close the window</source>
      <translation>Zamknij okno</translation>
    </message>
    <message>
      <source>Code, {language}</source>
      <translation>Kod, {language}</translation>
    </message>
    <message>
      <source>Compute</source>
      <translation>Obliczenia</translation>
    </message>
    <message>
      <source>Compute threads of each child process at most; it takes as many as gain. 0: one for each core.</source>
      <translation>Najwyżej tyle wątków obliczeniowych na proces; bierze tyle, ile pomaga. 0: po jednym na rdzeń.</translation>
    </message>
    <message>
      <source>Computers</source>
      <translation>Komputery</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>Łącze</translation>
    </message>
    <message>
      <source>Contribute</source>
      <translation>Udostępniaj</translation>
    </message>
    <message>
      <source>Contributing</source>
      <translation>Udostępnianie</translation>
    </message>
    <message>
      <source>Contributing gently: {why}</source>
      <translation>Udostępnianie z niskim priorytetem: {why}</translation>
    </message>
    <message>
      <source>Contributing is paused</source>
      <translation>Udostępnianie wstrzymane</translation>
    </message>
    <message>
      <source>Contributing is paused on this computer.</source>
      <translation>Udostępnianie na tym komputerze jest wstrzymane.</translation>
    </message>
    <message>
      <source>Contributing, as you asked, although {why}</source>
      <translation>Udostępnianie na twoje życzenie, choć {why}</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>Rozmowa</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopiuj</translation>
    </message>
    <message>
      <source>Copy the token</source>
      <translation>Kopiuj token</translation>
    </message>
    <message>
      <source>Copy this answer</source>
      <translation>Kopiuj tę odpowiedź</translation>
    </message>
    <message>
      <source>Copy this code</source>
      <translation>Kopiuj ten kod</translation>
    </message>
    <message>
      <source>Copy this message</source>
      <translation>Kopiuj tę wiadomość</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Usuń</translation>
    </message>
    <message>
      <source>Delete a chat</source>
      <translation>Usuń czat</translation>
    </message>
    <message>
      <source>Delete the model {name} from this computer?</source>
      <translation>Usunąć model {name} z tego komputera?</translation>
    </message>
    <message>
      <source>Delete this chat? It cannot be brought back.</source>
      <translation>Usunąć ten czat? Nie da się go przywrócić.</translation>
    </message>
    <message>
      <source>Delete …</source>
      <translation>Usuń …</translation>
    </message>
    <message>
      <source>Do not contribute</source>
      <translation>Nie udostępniaj</translation>
    </message>
    <message>
      <source>Do not edit</source>
      <translation>Nie edytuj</translation>
    </message>
    <message>
      <source>Earlier version</source>
      <translation>Wcześniejsza wersja</translation>
    </message>
    <message>
      <source>Edit this message and send it again</source>
      <translation>Edytuj tę wiadomość i wyślij ponownie</translation>
    </message>
    <message>
      <source>Everything is covered again</source>
      <translation>Wszystko jest znów pokryte</translation>
    </message>
    <message>
      <source>Export as JSON …</source>
      <translation>Eksportuj jako JSON …</translation>
    </message>
    <message>
      <source>Export as Markdown …</source>
      <translation>Eksportuj jako Markdown …</translation>
    </message>
    <message>
      <source>Export this chat</source>
      <translation>Eksportuj ten czat</translation>
    </message>
    <message>
      <source>Exported to {name}.</source>
      <translation>Wyeksportowano do {name}.</translation>
    </message>
    <message>
      <source>File …</source>
      <translation>Plik …</translation>
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation>Plików modelu brakuje lub są ucięte. Zaimportuj go ponownie.</translation>
    </message>
    <message>
      <source>Folder of local models</source>
      <translation>Folder modeli lokalnych</translation>
    </message>
    <message>
      <source>Folder of models</source>
      <translation>Folder modeli</translation>
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation>Folder modeli lokalnych.</translation>
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation>Folder magazynu modeli.</translation>
    </message>
    <message>
      <source>Folder, GGUF file, or owner/name to download</source>
      <translation>Folder, plik GGUF lub właściciel/nazwa do pobrania</translation>
    </message>
    <message>
      <source>For an open swarm: an address of a computer in it, to join by; give several for safety. None founds one. A private swarm is joined by a link.</source>
      <translation>Dla otwartego roju: adres komputera, przez który się dołącza; dla pewności kilka. Bez adresu powstaje nowy. Do prywatnego dołącza się przez link.</translation>
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation>Na przykład: Jesteś cierpliwym nauczycielem. Odpowiadaj krótko.</translation>
    </message>
    <message>
      <source>For the household</source>
      <translation>Dla domu</translation>
    </message>
    <message>
      <source>For this computer alone, when the household cannot answer</source>
      <translation>Tylko dla tego komputera, gdy dom nie może odpowiedzieć</translation>
    </message>
    <message>
      <source>Getting ready …</source>
      <translation>Przygotowywanie …</translation>
    </message>
    <message>
      <source>Give memory back after a pause of</source>
      <translation>Zwolnij pamięć po przerwie</translation>
    </message>
    <message>
      <source>Give the local model's memory back after</source>
      <translation>Zwolnij pamięć modelu lokalnego po</translation>
    </message>
    <message>
      <source>Go on contributing when the app has quit</source>
      <translation>Udostępniaj dalej po zamknięciu aplikacji</translation>
    </message>
    <message>
      <source>Good night</source>
      <translation>Dobranoc</translation>
    </message>
    <message>
      <source>Have a second computer keep up with each of your answers, so that a loss costs no replay. Your answers then take twice the memory and twice the work of the household; homeswarm status shows the price in memory before you switch it on.</source>
      <translation>Drugi komputer nadąża za każdą odpowiedzią, więc strata nie wymaga odtwarzania. Odpowiedzi zajmują wtedy dwa razy więcej pamięci i pracy domu; homeswarm status pokazuje koszt pamięci przed włączeniem.</translation>
    </message>
    <message>
      <source>Hide this notice</source>
      <translation>Ukryj tę informację</translation>
    </message>
    <message>
      <source>Home</source>
      <translation>Dom</translation>
    </message>
    <message>
      <source>Homeswarm can stay ready in the tray.</source>
      <translation>Homeswarm może czekać w zasobniku.</translation>
    </message>
    <message>
      <source>Homeswarm cannot run this kind of model.</source>
      <translation>Homeswarm nie obsługuje modeli tego rodzaju.</translation>
    </message>
    <message>
      <source>Homeswarm is not running</source>
      <translation>Homeswarm nie działa</translation>
    </message>
    <message>
      <source>Homeswarm is open already and does not answer. End it, then start it again.</source>
      <translation>Homeswarm jest już otwarty i nie odpowiada. Zakończ go i uruchom ponownie.</translation>
    </message>
    <message>
      <source>Homeswarm's node has ended.</source>
      <translation>Węzeł Homeswarm zakończył działanie.</translation>
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation>Węzeł Homeswarm nie działa na tym komputerze.</translation>
    </message>
    <message>
      <source>Homeswarm's own command could not be started.</source>
      <translation>Nie udało się uruchomić własnego polecenia Homeswarm.</translation>
    </message>
    <message>
      <source>Household</source>
      <translation>Dom</translation>
    </message>
    <message>
      <source>How much of the model's memory the conversation takes</source>
      <translation>Ile pamięci modelu zajmuje rozmowa</translation>
    </message>
    <message>
      <source>How soon a silent computer is given up: home_lan within about a second, for computers of one home; over_internet within about three, for lines that lose packets; test is for tests on one computer.</source>
      <translation>Jak szybko rezygnuje się z milczącego komputera: w jednym domu po około sekundzie; przez internet po około trzech, dla łączy gubiących pakiety; trzeci wybór służy do testów na jednym komputerze.</translation>
    </message>
    <message>
      <source>How this answer came about</source>
      <translation>Jak powstała ta odpowiedź</translation>
    </message>
    <message>
      <source>Import</source>
      <translation>Importuj</translation>
    </message>
    <message>
      <source>Import the same model on both computers.</source>
      <translation>Zaimportuj ten sam model na obu komputerach.</translation>
    </message>
    <message>
      <source>In no household</source>
      <translation>W żadnym domu</translation>
    </message>
    <message>
      <source>In this profile's folder, readable by you alone.</source>
      <translation>W folderze tego profilu, do odczytu tylko dla ciebie.</translation>
    </message>
    <message>
      <source>Instruction and sampling of this chat</source>
      <translation>Polecenie i próbkowanie tego czatu</translation>
    </message>
    <message>
      <source>Invitation link</source>
      <translation>Link z zaproszeniem</translation>
    </message>
    <message>
      <source>Invitation links could not be registered. They can still be pasted.</source>
      <translation>Nie udało się zarejestrować linków zaproszeń. Nadal można je wkleić.</translation>
    </message>
    <message>
      <source>Invite a computer</source>
      <translation>Zaproś komputer</translation>
    </message>
    <message>
      <source>It is being started again.</source>
      <translation>Jest uruchamiany ponownie.</translation>
    </message>
    <message>
      <source>Join</source>
      <translation>Dołącz</translation>
    </message>
    <message>
      <source>Join a household</source>
      <translation>Dołącz do domu</translation>
    </message>
    <message>
      <source>Join with a link</source>
      <translation>Dołącz przez link</translation>
    </message>
    <message>
      <source>Joining the household …</source>
      <translation>Dołączanie do domu …</translation>
    </message>
    <message>
      <source>Just chat on this computer</source>
      <translation>Tylko czat na tym komputerze</translation>
    </message>
    <message>
      <source>Keep running</source>
      <translation>Niech działa dalej</translation>
    </message>
    <message>
      <source>Keep the keys in a file</source>
      <translation>Trzymaj klucze w pliku</translation>
    </message>
    <message>
      <source>Keep the local model in memory</source>
      <translation>Trzymaj model lokalny w pamięci</translation>
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation>Nie pozwalaj temu komputerowi zasnąć z bezczynności, gdy pracuje nad odpowiedzią, swoją lub cudzą; zamknięcie pokrywy nadal działa.</translation>
    </message>
    <message>
      <source>Keep waiting</source>
      <translation>Czekaj dalej</translation>
    </message>
    <message>
      <source>Language (after the next start)</source>
      <translation>Język (po ponownym uruchomieniu)</translation>
    </message>
    <message>
      <source>Later version</source>
      <translation>Późniejsza wersja</translation>
    </message>
    <message>
      <source>Leave</source>
      <translation>Opuść</translation>
    </message>
    <message>
      <source>Leave it first, on the household page.</source>
      <translation>Najpierw go opuść na stronie domu.</translation>
    </message>
    <message>
      <source>Leave the household</source>
      <translation>Opuść dom</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>Długość</translation>
    </message>
    <message>
      <source>Let that computer join anew with an invitation.</source>
      <translation>Dołącz ten komputer na nowo zaproszeniem.</translation>
    </message>
    <message>
      <source>Let this computer answer</source>
      <translation>Niech odpowie ten komputer</translation>
    </message>
    <message>
      <source>Link</source>
      <translation>Link</translation>
    </message>
    <message>
      <source>Local API</source>
      <translation>Lokalne API</translation>
    </message>
    <message>
      <source>Local model</source>
      <translation>Model lokalny</translation>
    </message>
    <message>
      <source>Longest conversation</source>
      <translation>Najdłuższa rozmowa</translation>
    </message>
    <message>
      <source>Longest conversation of your own, question and answer together.</source>
      <translation>Najdłuższa własna rozmowa, pytanie i odpowiedź razem.</translation>
    </message>
    <message>
      <source>Looking for households in this network …</source>
      <translation>Szukam domów w tej sieci …</translation>
    </message>
    <message>
      <source>Make a new token</source>
      <translation>Utwórz nowy token</translation>
    </message>
    <message>
      <source>Make somebody else an owner first.</source>
      <translation>Najpierw uczyń właścicielem kogoś innego.</translation>
    </message>
    <message>
      <source>Members</source>
      <translation>Członkowie</translation>
    </message>
    <message>
      <source>Memory for conversations</source>
      <translation>Pamięć na rozmowy</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Model</translation>
    </message>
    <message>
      <source>Model to import</source>
      <translation>Model do zaimportowania</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Modele</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Nazwa</translation>
    </message>
    <message>
      <source>Name of the &amp;household</source>
      <translation>Nazwa &amp;domu</translation>
    </message>
    <message>
      <source>Name of the household</source>
      <translation>Nazwa domu</translation>
    </message>
    <message>
      <source>Name of this &amp;computer</source>
      <translation>Nazwa tego &amp;komputera</translation>
    </message>
    <message>
      <source>Nearby</source>
      <translation>W pobliżu</translation>
    </message>
    <message>
      <source>New chat</source>
      <translation>Nowy czat</translation>
    </message>
    <message>
      <source>New chat (Ctrl+N)</source>
      <translation>Nowy czat (Ctrl+N)</translation>
    </message>
    <message>
      <source>New token</source>
      <translation>Nowy token</translation>
    </message>
    <message>
      <source>New token …</source>
      <translation>Nowy token …</translation>
    </message>
    <message>
      <source>No answer has been given yet.</source>
      <translation>Nie udzielono jeszcze żadnej odpowiedzi.</translation>
    </message>
    <message>
      <source>No household in this network can be asked at the moment.</source>
      <translation>Żadnego domu w tej sieci nie można teraz zapytać.</translation>
    </message>
    <message>
      <source>Nobody</source>
      <translation>Nikt</translation>
    </message>
    <message>
      <source>Nobody serves blocks yet.</source>
      <translation>Nikt jeszcze nie udostępnia bloków.</translation>
    </message>
    <message>
      <source>Nobody serves {blocks} now.</source>
      <translation>Nikt nie udostępnia teraz: {blocks}.</translation>
    </message>
    <message>
      <source>Nobody who answers has made this invitation.</source>
      <translation>Nikt z odpowiadających nie wystawił tego zaproszenia.</translation>
    </message>
    <message>
      <source>None of the computers in the invitation answers. Switch one on, or ask for a fresh link.</source>
      <translation>Żaden komputer z zaproszenia nie odpowiada. Włącz któryś lub poproś o nowy link.</translation>
    </message>
    <message>
      <source>None yet.</source>
      <translation>Jeszcze żadnego.</translation>
    </message>
    <message>
      <source>Nothing found.</source>
      <translation>Nic nie znaleziono.</translation>
    </message>
    <message>
      <source>On a metered network</source>
      <translation>W sieci płatnej za ilość</translation>
    </message>
    <message>
      <source>On battery</source>
      <translation>Na baterii</translation>
    </message>
    <message>
      <source>One moment</source>
      <translation>Chwileczkę</translation>
    </message>
    <message>
      <source>Open Homeswarm</source>
      <translation>Otwórz Homeswarm</translation>
    </message>
    <message>
      <source>Open invitation for: {role}</source>
      <translation>Otwarte zaproszenie dla roli: {role}</translation>
    </message>
    <message>
      <source>Open swarm</source>
      <translation>Otwarty rój</translation>
    </message>
    <message>
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation>Inne programy na tym komputerze mogą przez nie korzystać z modelu, tak jak przez API OpenAI.</translation>
    </message>
    <message>
      <source>Paste the link that you were sent, or open or paste a picture of its QR code.</source>
      <translation>Wklej otrzymany link albo otwórz lub wklej obraz jego kodu QR.</translation>
    </message>
    <message>
      <source>Pasted text</source>
      <translation>Wklejony tekst</translation>
    </message>
    <message>
      <source>Patience</source>
      <translation>Cierpliwość</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>Wstrzymaj na godzinę</translation>
    </message>
    <message>
      <source>Paused until {time}, as you asked</source>
      <translation>Wstrzymane do {time} na twoje życzenie</translation>
    </message>
    <message>
      <source>Paused until {time}: {why}</source>
      <translation>Wstrzymane do {time}: {why}</translation>
    </message>
    <message>
      <source>Paused, as you asked</source>
      <translation>Wstrzymane na twoje życzenie</translation>
    </message>
    <message>
      <source>Paused: {why}</source>
      <translation>Wstrzymane: {why}</translation>
    </message>
    <message>
      <source>Pauses</source>
      <translation>Przerwy</translation>
    </message>
    <message>
      <source>Picture …</source>
      <translation>Obraz …</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>Obrazy</translation>
    </message>
    <message>
      <source>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</source>
      <translation>Port, na którym inne komputery proszą o dołączenie; 0 zachowuje dotychczasowy, początkowo wolny.</translation>
    </message>
    <message>
      <source>Port for other computers</source>
      <translation>Port dla innych komputerów</translation>
    </message>
    <message>
      <source>Port of the door</source>
      <translation>Port drzwi</translation>
    </message>
    <message>
      <source>Port of the local API</source>
      <translation>Port lokalnego API</translation>
    </message>
    <message>
      <source>Port of the local API, on this computer only; 0 takes a free one (api.json in the profile has it).</source>
      <translation>Port lokalnego API, tylko na tym komputerze; 0 bierze wolny (zapisany w api.json w profilu).</translation>
    </message>
    <message>
      <source>Port on which other computers reach this one; 0 takes a free one.</source>
      <translation>Port, pod którym inne komputery osiągają ten; 0 bierze wolny.</translation>
    </message>
    <message>
      <source>Power</source>
      <translation>Zasilanie</translation>
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation>Przygotowywanie modelu …</translation>
    </message>
    <message>
      <source>Programs that use the present token are refused until they have the new one.</source>
      <translation>Programy z obecnym tokenem będą odrzucane, dopóki nie dostaną nowego.</translation>
    </message>
    <message>
      <source>QR code of the invitation</source>
      <translation>Kod QR zaproszenia</translation>
    </message>
    <message>
      <source>Question and history</source>
      <translation>Pytanie i historia</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Zakończ</translation>
    </message>
    <message>
      <source>Quit Homeswarm</source>
      <translation>Zakończ Homeswarm</translation>
    </message>
    <message>
      <source>Read the QR code of an invitation from a picture</source>
      <translation>Odczytaj kod QR zaproszenia z obrazu</translation>
    </message>
    <message>
      <source>Refuse</source>
      <translation>Odrzuć</translation>
    </message>
    <message>
      <source>Remember this</source>
      <translation>Zapamiętaj</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Usuń</translation>
    </message>
    <message>
      <source>Remove a member</source>
      <translation>Usuń członka</translation>
    </message>
    <message>
      <source>Remove a model</source>
      <translation>Usuń model</translation>
    </message>
    <message>
      <source>Remove {name}</source>
      <translation>Usuń: {name}</translation>
    </message>
    <message>
      <source>Rename this chat</source>
      <translation>Zmień nazwę czatu</translation>
    </message>
    <message>
      <source>Rename …</source>
      <translation>Zmień nazwę …</translation>
    </message>
    <message>
      <source>Restart the node for the new settings: this app has not started it.</source>
      <translation>Uruchom węzeł ponownie, by użyć nowych ustawień: ta aplikacja go nie uruchomiła.</translation>
    </message>
    <message>
      <source>Round trip</source>
      <translation>Tam i z powrotem</translation>
    </message>
    <message>
      <source>Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on this computer alone.</source>
      <translation>Prowadź otwarty rój: bez zaproszeń i certyfikatów; kto do niego dotrze, jest w środku. Do prób na tym jednym komputerze.</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Zapisz</translation>
    </message>
    <message>
      <source>Saved.</source>
      <translation>Zapisano.</translation>
    </message>
    <message>
      <source>Saved. The node starts anew.</source>
      <translation>Zapisano. Węzeł uruchamia się ponownie.</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Szukaj</translation>
    </message>
    <message>
      <source>Search all chats</source>
      <translation>Przeszukaj wszystkie czaty</translation>
    </message>
    <message>
      <source>Send</source>
      <translation>Wyślij</translation>
    </message>
    <message>
      <source>Serves {span}</source>
      <translation>Udostępnia {span}</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Ustawienia</translation>
    </message>
    <message>
      <source>Settings of this chat</source>
      <translation>Ustawienia tego czatu</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>Pokaż wszystko</translation>
    </message>
    <message>
      <source>Show all of this message</source>
      <translation>Pokaż całą wiadomość</translation>
    </message>
    <message>
      <source>Show everything</source>
      <translation>Pokaż wszystko</translation>
    </message>
    <message>
      <source>Show up nearby</source>
      <translation>Widoczność w pobliżu</translation>
    </message>
    <message>
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation>Cisza domu podczas odpowiedzi, po której przejmuje model lokalny.</translation>
    </message>
    <message>
      <source>Silence until the local model takes over</source>
      <translation>Cisza do przejęcia przez model lokalny</translation>
    </message>
    <message>
      <source>Slowest speed</source>
      <translation>Najmniejsza prędkość</translation>
    </message>
    <message>
      <source>Some blocks have no computer now. Wake one that holds them, or start another.</source>
      <translation>Niektórych bloków nie ma teraz żaden komputer. Obudź taki, który je ma, albo uruchom inny.</translation>
    </message>
    <message>
      <source>Somebody asks to join</source>
      <translation>Ktoś prosi o dołączenie</translation>
    </message>
    <message>
      <source>Something could not be saved</source>
      <translation>Czegoś nie udało się zapisać</translation>
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation>W węźle coś poszło nie tak. Szczegóły są w jego dzienniku.</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>Rozpocznij</translation>
    </message>
    <message>
      <source>Start a household</source>
      <translation>Załóż dom</translation>
    </message>
    <message>
      <source>Start it again: it goes on where it stopped.</source>
      <translation>Uruchom ponownie: ruszy od miejsca przerwania.</translation>
    </message>
    <message>
      <source>Start or join one on the household page.</source>
      <translation>Załóż dom lub dołącz do niego na stronie domu.</translation>
    </message>
    <message>
      <source>Start when I log in</source>
      <translation>Uruchamiaj przy logowaniu</translation>
    </message>
    <message>
      <source>Starting …</source>
      <translation>Uruchamianie …</translation>
    </message>
    <message>
      <source>State</source>
      <translation>Stan</translation>
    </message>
    <message>
      <source>Stay awake while answering</source>
      <translation>Nie zasypiaj podczas odpowiadania</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>Zatrzymaj odpowiedź</translation>
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation>Powiadamiaj, gdy komputer zasypia lub znika</translation>
    </message>
    <message>
      <source>That did not work</source>
      <translation>Nie udało się</translation>
    </message>
    <message>
      <source>That has been decided meanwhile.</source>
      <translation>To już rozstrzygnięto.</translation>
    </message>
    <message numerus="yes">
      <source>The %n oldest message(s) no longer fitted and were left out.</source>
      <translation>
        <numerusform>%n najstarsza wiadomość się nie zmieściła i została pominięta.</numerusform>
        <numerusform>%n najstarsze wiadomości się nie zmieściły i zostały pominięte.</numerusform>
        <numerusform>%n najstarszych wiadomości się nie zmieściło i zostało pominiętych.</numerusform>
      </translation>
    </message>
    <message>
      <source>The answer being given comes from this computer alone.</source>
      <translation>Bieżącą odpowiedź daje tylko ten komputer.</translation>
    </message>
    <message>
      <source>The answer being given goes through {names}.</source>
      <translation>Bieżąca odpowiedź idzie przez: {names}.</translation>
    </message>
    <message>
      <source>The answer did not begin.</source>
      <translation>Odpowiedź się nie zaczęła.</translation>
    </message>
    <message>
      <source>The answer reached its longest allowed length.</source>
      <translation>Odpowiedź osiągnęła największą dozwoloną długość.</translation>
    </message>
    <message>
      <source>The answer was cut off when Homeswarm ended.</source>
      <translation>Odpowiedź urwała się, gdy Homeswarm się zakończył.</translation>
    </message>
    <message>
      <source>The blocks to serve to the household: START:END (END not included), auto to choose what the household lacks most, or none to only chat.</source>
      <translation>Bloki udostępniane domowi: START:KONIEC (bez KOŃCA), auto wybiera to, czego najbardziej brakuje, none służy tylko do czatu.</translation>
    </message>
    <message>
      <source>The chats' part of Homeswarm does not run.</source>
      <translation>Część Homeswarm odpowiadająca za czaty nie działa.</translation>
    </message>
    <message>
      <source>The computer is busy with other answers. Try again in a moment.</source>
      <translation>Komputer zajęty jest innymi odpowiedziami. Spróbuj za chwilę.</translation>
    </message>
    <message>
      <source>The computers have different versions of Homeswarm. Update the older one.</source>
      <translation>Komputery mają różne wersje Homeswarm. Zaktualizuj starszą.</translation>
    </message>
    <message>
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation>Komputery w domu wspólnie uruchamiają jeden model językowy. Nic nie opuszcza domu.</translation>
    </message>
    <message>
      <source>The connection to the household could not be started. Try again.</source>
      <translation>Nie udało się nawiązać połączenia z domem. Spróbuj ponownie.</translation>
    </message>
    <message>
      <source>The conversation does not fit the model's memory. Shorten the message or start a new chat.</source>
      <translation>Rozmowa nie mieści się w pamięci modelu. Skróć wiadomość albo zacznij nowy czat.</translation>
    </message>
    <message>
      <source>The disk is full. Free some space; what you wrote is not lost.</source>
      <translation>Dysk jest pełny. Zwolnij miejsce; to, co napisano, nie przepadło.</translation>
    </message>
    <message>
      <source>The download failed. Start it again: it goes on where it stopped.</source>
      <translation>Pobieranie się nie powiodło. Uruchom je ponownie: ruszy od miejsca, w którym stanęło.</translation>
    </message>
    <message>
      <source>The file with the chats cannot be used.</source>
      <translation>Nie można użyć pliku z czatami.</translation>
    </message>
    <message>
      <source>The file with the chats was damaged. It lies beside the new one in the profile's folder.</source>
      <translation>Plik z czatami był uszkodzony. Leży obok nowego w folderze profilu.</translation>
    </message>
    <message>
      <source>The file with the membership is damaged. Leave the household, join anew.</source>
      <translation>Plik z członkostwem jest uszkodzony. Opuść dom i dołącz na nowo.</translation>
    </message>
    <message>
      <source>The folder of the profile cannot be used.</source>
      <translation>Nie można użyć folderu profilu.</translation>
    </message>
    <message>
      <source>The household can answer.</source>
      <translation>Dom może odpowiadać.</translation>
    </message>
    <message>
      <source>The household cannot answer ({why}). {model} on this computer could.</source>
      <translation>Dom nie może odpowiedzieć ({why}). {model} na tym komputerze mógłby.</translation>
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation>Dom nie może odpowiadać, dopóki nie wrócą.</translation>
    </message>
    <message>
      <source>The household cannot answer; the model of this computer could.</source>
      <translation>Dom nie może odpowiedzieć; model tego komputera mógłby.</translation>
    </message>
    <message>
      <source>The household cannot go on ({why}). {model} on this computer could.</source>
      <translation>Dom nie może kontynuować ({why}). {model} na tym komputerze mógłby.</translation>
    </message>
    <message>
      <source>The household has a new key. Switch on the computer of an owner or admin.</source>
      <translation>Dom ma nowy klucz. Włącz komputer właściciela lub administratora.</translation>
    </message>
    <message>
      <source>The household page says what happened.</source>
      <translation>Strona domu mówi, co się stało.</translation>
    </message>
    <message>
      <source>The keyring cannot be used. Unlock it and try again, or allow a file that only you can read.</source>
      <translation>Nie można użyć bazy kluczy. Odblokuj ją i spróbuj ponownie albo zezwól na plik czytelny tylko dla ciebie.</translation>
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation>Baza kluczy jest zablokowana, więc ten komputer nie może potwierdzić tożsamości. Odblokuj ją.</translation>
    </message>
    <message>
      <source>The keys of the household that this computer has left could not be deleted from the keyring.</source>
      <translation>Nie udało się usunąć z bazy kluczy kluczy domu, który ten komputer opuścił.</translation>
    </message>
    <message>
      <source>The last owner cannot go. Make somebody else an owner first.</source>
      <translation>Ostatni właściciel nie może odejść. Najpierw uczyń właścicielem kogoś innego.</translation>
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation>Ostatnia odpowiedź przeszła przez: {names}.</translation>
    </message>
    <message>
      <source>The membership has run out. Switch on the computer of an owner or admin to renew it.</source>
      <translation>Członkostwo wygasło. Włącz komputer właściciela lub administratora, by je odnowić.</translation>
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation>Sprawdzanie członkostwa …</translation>
    </message>
    <message>
      <source>The message is too long to be sent.</source>
      <translation>Wiadomość jest za długa.</translation>
    </message>
    <message>
      <source>The model does not fit into the free memory.</source>
      <translation>Model nie mieści się w wolnej pamięci.</translation>
    </message>
    <message>
      <source>The model gave nonsense numbers. Ask again, or import it anew.</source>
      <translation>Model zwrócił bezsensowne liczby. Zapytaj ponownie lub zaimportuj go na nowo.</translation>
    </message>
    <message>
      <source>The model of this computer failed. Ask again.</source>
      <translation>Model tego komputera zawiódł. Zapytaj ponownie.</translation>
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation>Model na tym komputerze, który odpowiada, gdy dom nie może.</translation>
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation>Model do uruchomienia, według nazwy lub identyfikatora w magazynie (zob. `homeswarm model list`).</translation>
    </message>
    <message>
      <source>The model's words do not fit its weights. Import it again.</source>
      <translation>Słownik modelu nie pasuje do jego wag. Zaimportuj go ponownie.</translation>
    </message>
    <message>
      <source>The node does not know what was asked for.</source>
      <translation>Węzeł nie zna tego, o co poproszono.</translation>
    </message>
    <message>
      <source>The node ended without a word.</source>
      <translation>Węzeł zakończył się bez słowa.</translation>
    </message>
    <message>
      <source>The node has ended: {why}</source>
      <translation>Węzeł zakończył działanie: {why}</translation>
    </message>
    <message>
      <source>The node is not running.</source>
      <translation>Węzeł nie działa.</translation>
    </message>
    <message>
      <source>The node refused this.</source>
      <translation>Węzeł odmówił.</translation>
    </message>
    <message>
      <source>The node said something that this window does not understand.</source>
      <translation>Węzeł powiedział coś, czego to okno nie rozumie.</translation>
    </message>
    <message>
      <source>The old token is refused from now on.</source>
      <translation>Stary token jest od teraz odrzucany.</translation>
    </message>
    <message>
      <source>The other computer could not prove itself. Try again.</source>
      <translation>Drugi komputer nie potwierdził tożsamości. Spróbuj ponownie.</translation>
    </message>
    <message>
      <source>The other computer refused.</source>
      <translation>Drugi komputer odmówił.</translation>
    </message>
    <message>
      <source>The other computer speaks another version of Homeswarm.</source>
      <translation>Drugi komputer używa innej wersji Homeswarm.</translation>
    </message>
    <message>
      <source>The request makes no sense to the node.</source>
      <translation>To żądanie nie ma dla węzła sensu.</translation>
    </message>
    <message>
      <source>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</source>
      <translation>To samo, gdy program zajmuje cały ekran: gra, film, prezentacja. Domyślnie wstrzymane, bo każde zacięcie od razu tam widać.</translation>
    </message>
    <message>
      <source>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</source>
      <translation>To samo, gdy używana sieć jest opłacana według ilości danych, jak w telefonie. Domyślnie wstrzymane, bo przechodzi przez nią każdy kawałek odpowiedzi.</translation>
    </message>
    <message>
      <source>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</source>
      <translation>To samo, gdy ten komputer działa na baterii. Domyślnie wstrzymane, bo odpowiedzi innych by ją rozładowały; własne rozmowy trwają dalej.</translation>
    </message>
    <message>
      <source>The settings list the models of this computer.</source>
      <translation>Ustawienia pokazują modele tego komputera.</translation>
    </message>
    <message>
      <source>The start at login could not be changed.</source>
      <translation>Nie udało się zmienić startu przy logowaniu.</translation>
    </message>
    <message>
      <source>The system does not let Homeswarm delay its sleep.</source>
      <translation>System nie pozwala Homeswarm opóźnić uśpienia.</translation>
    </message>
    <message>
      <source>The token is in the clipboard.</source>
      <translation>Token jest w schowku.</translation>
    </message>
    <message>
      <source>The two computers have different models. Import the same one on both.</source>
      <translation>Oba komputery mają różne modele. Zaimportuj ten sam na obu.</translation>
    </message>
    <message>
      <source>There is no display that a window could open on.</source>
      <translation>Nie ma ekranu, na którym można otworzyć okno.</translation>
    </message>
    <message>
      <source>There is no invitation's QR code in this picture.</source>
      <translation>Na tym obrazie nie ma kodu QR zaproszenia.</translation>
    </message>
    <message>
      <source>They said no.</source>
      <translation>Odmówiono.</translation>
    </message>
    <message>
      <source>This app</source>
      <translation>Ta aplikacja</translation>
    </message>
    <message>
      <source>This belongs to another household.</source>
      <translation>To należy do innego domu.</translation>
    </message>
    <message>
      <source>This chat is not there any more.</source>
      <translation>Tego czatu już nie ma.</translation>
    </message>
    <message>
      <source>This computer can come back only with a new invitation.</source>
      <translation>Ten komputer może wrócić tylko z nowym zaproszeniem.</translation>
    </message>
    <message>
      <source>This computer in the household</source>
      <translation>Ten komputer w domu</translation>
    </message>
    <message>
      <source>This computer is in a household already. Leave it first.</source>
      <translation>Ten komputer jest już w domu. Najpierw go opuść.</translation>
    </message>
    <message>
      <source>This computer is in no household any more.</source>
      <translation>Ten komputer nie należy już do żadnego domu.</translation>
    </message>
    <message>
      <source>This computer is in no household yet.</source>
      <translation>Ten komputer nie należy jeszcze do żadnego domu.</translation>
    </message>
    <message>
      <source>This computer is in no household yet; {model} answers alone.</source>
      <translation>Ten komputer nie jest jeszcze w żadnym domu; {model} odpowiada sam.</translation>
    </message>
    <message>
      <source>This computer may sleep without a word. Answers that run through it then pause for a second.</source>
      <translation>Ten komputer może zasnąć bez słowa. Odpowiedzi przez niego zatrzymają się wtedy na sekundę.</translation>
    </message>
    <message>
      <source>This computer only chats</source>
      <translation>Ten komputer tylko czatuje</translation>
    </message>
    <message>
      <source>This computer serves a part of the model to your household while Homeswarm runs.</source>
      <translation>Ten komputer udostępnia domowi część modelu, dopóki Homeswarm działa.</translation>
    </message>
    <message>
      <source>This computer was removed from the household. An owner can invite it again.</source>
      <translation>Ten komputer usunięto z domu. Właściciel może go zaprosić ponownie.</translation>
    </message>
    <message>
      <source>This computer was removed from {name}.</source>
      <translation>Ten komputer został usunięty z: {name}.</translation>
    </message>
    <message>
      <source>This computer, {model}</source>
      <translation>Ten komputer, {model}</translation>
    </message>
    <message>
      <source>This computer: {facts}</source>
      <translation>Ten komputer: {facts}</translation>
    </message>
    <message>
      <source>This invitation has run out.</source>
      <translation>To zaproszenie wygasło.</translation>
    </message>
    <message>
      <source>This invitation is used by too many computers at once.</source>
      <translation>Z tego zaproszenia korzysta naraz zbyt wiele komputerów.</translation>
    </message>
    <message>
      <source>This invitation was cancelled.</source>
      <translation>To zaproszenie wycofano.</translation>
    </message>
    <message>
      <source>This invitation was used already.</source>
      <translation>Tego zaproszenia już użyto.</translation>
    </message>
    <message>
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation>To otwarty rój na tym komputerze, bez członków i zaproszeń.</translation>
    </message>
    <message>
      <source>This is no whole invitation. Copy all of the link again.</source>
      <translation>To nie jest całe zaproszenie. Skopiuj cały link jeszcze raz.</translation>
    </message>
    <message>
      <source>This is the first computer. Invite the others afterwards.</source>
      <translation>To pierwszy komputer. Pozostałe zaprosisz potem.</translation>
    </message>
    <message>
      <source>This model is not on this computer.</source>
      <translation>Tego modelu nie ma na tym komputerze.</translation>
    </message>
    <message>
      <source>Threads</source>
      <translation>Wątki</translation>
    </message>
    <message>
      <source>Times</source>
      <translation>Czasy</translation>
    </message>
    <message>
      <source>Times to contribute</source>
      <translation>Godziny udostępniania</translation>
    </message>
    <message>
      <source>To the first word</source>
      <translation>Do pierwszego słowa</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Razem</translation>
    </message>
    <message>
      <source>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</source>
      <translation>Tokeny na sekundę: gdy dom jest wolniejszy, odpowiada model lokalny. 0 oznacza nigdy za wolno.</translation>
    </message>
    <message>
      <source>Too many computers ask at once. Try again in a moment.</source>
      <translation>Zbyt wiele komputerów pyta naraz. Spróbuj za chwilę.</translation>
    </message>
    <message>
      <source>Top &amp;p</source>
      <translation>Top &amp;p</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Spróbuj ponownie</translation>
    </message>
    <message>
      <source>Try it out with a small model. You can start or join a household later.</source>
      <translation>Wypróbuj z małym modelem. Dom możesz założyć lub dołączyć do niego później.</translation>
    </message>
    <message>
      <source>Two computers' clocks are too far apart. Turn on automatic time on both.</source>
      <translation>Zegary dwóch komputerów zbytnio się różnią. Włącz na obu automatyczny czas.</translation>
    </message>
    <message>
      <source>Unlock or install one and try again, or allow a file that only you can read.</source>
      <translation>Odblokuj lub zainstaluj ją i spróbuj ponownie albo zezwól na plik czytelny tylko dla ciebie.</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>Użyj</translation>
    </message>
    <message>
      <source>Use {name}</source>
      <translation>Użyj {name}</translation>
    </message>
    <message>
      <source>Wake or start {names}.</source>
      <translation>Obudź lub uruchom {names}.</translation>
    </message>
    <message>
      <source>Welcome to Homeswarm</source>
      <translation>Witaj w Homeswarm</translation>
    </message>
    <message>
      <source>What changed lately</source>
      <translation>Ostatnie zmiany</translation>
    </message>
    <message>
      <source>What happens to contributing while somebody uses this computer, and for five minutes after: gentle lets their programs go first and still answers the household; pause serves nobody else meanwhile; ignore makes no difference. Gentle by default, because most use leaves a processor idle.</source>
      <translation>Co dzieje się z udostępnianiem, gdy ktoś używa tego komputera i przez pięć minut potem: delikatnie przepuszcza inne programy i nadal odpowiada domownikom; wstrzymanie nikomu innemu wtedy nie służy; bez różnicy niczego nie zmienia. Domyślnie delikatnie, bo przy zwykłej pracy procesor i tak ma wolną chwilę.</translation>
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation>Tyle model może mieć naraz w pamięci. Gdy się zapełni, najstarsze wiadomości są pomijane.</translation>
    </message>
    <message>
      <source>What the model is for</source>
      <translation>Do czego jest model</translation>
    </message>
    <message>
      <source>What this computer is called in the household.</source>
      <translation>Jak ten komputer nazywa się w domu.</translation>
    </message>
    <message>
      <source>What would you like to know?</source>
      <translation>Co chcesz wiedzieć?</translation>
    </message>
    <message>
      <source>What your answers do about a computer that is late but lives: wait for it; hedge, which starts another one beside it and takes whichever is first; or reroute, which moves away once the wait has cost as much as the move. Hedging costs the others a little work, and you nothing when the guess was wrong.</source>
      <translation>Co robią twoje odpowiedzi z komputerem, który się spóźnia, ale żyje: czekają; pytają obok inny i biorą szybszego; albo przenoszą się, gdy czekanie kosztowało tyle co przejście. Pytanie obok kosztuje innych trochę pracy, a ciebie nic, gdy przypuszczenie było błędne.</translation>
    </message>
    <message>
      <source>When a computer is late</source>
      <translation>Gdy komputer się spóźnia</translation>
    </message>
    <message>
      <source>When the household &amp;cannot</source>
      <translation>&amp;Gdy dom nie może</translation>
    </message>
    <message>
      <source>When the household cannot answer</source>
      <translation>Gdy dom nie może odpowiedzieć</translation>
    </message>
    <message>
      <source>When the household cannot answer in time: auto lets the local model begin or go on, and says so; ask leaves it to you; never waits for the household alone.</source>
      <translation>Gdy dom nie zdąży odpowiedzieć: automatycznie pozwala zacząć lub kontynuować modelowi lokalnemu i mówi o tym; pytaj zostawia to tobie; nigdy czeka tylko na dom.</translation>
    </message>
    <message>
      <source>When the local model is in memory: auto while you chat and the household has no spare computer, one is in doubt, or it answers; always, all the time.</source>
      <translation>Kiedy model lokalny jest w pamięci: automatycznie, gdy rozmawiasz, a dom nie ma zapasu, któryś komputer jest niepewny lub model odpowiada; zawsze, cały czas.</translation>
    </message>
    <message>
      <source>When the window is closed</source>
      <translation>Gdy okno zostanie zamknięte</translation>
    </message>
    <message>
      <source>When this computer contributes: always, or times of day such as 22:00-07:00, or with days mon-fri 18:00-23:00, sat-sun 00:00-24:00. Always by default: a computer that is on can help.</source>
      <translation>Kiedy ten komputer udostępnia: always (zawsze) albo godziny jak 22:00-07:00, albo z dniami mon-fri 18:00-23:00, sat-sun 00:00-24:00. Domyślnie zawsze: włączony komputer może pomagać.</translation>
    </message>
    <message>
      <source>Where the keys are kept</source>
      <translation>Gdzie są klucze</translation>
    </message>
    <message>
      <source>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</source>
      <translation>Gdzie są klucze tego komputera: w bazie kluczy systemu albo w pliku profilu, który czytasz tylko ty.</translation>
    </message>
    <message>
      <source>Whether an owner's or admin's computer tells the network that a household is here which one can ask to join, and a computer in no swarm looks for one.</source>
      <translation>Czy komputer właściciela lub administratora ogłasza w sieci, że jest tu dom, do którego można poprosić o dołączenie, a komputer bez roju go szuka.</translation>
    </message>
    <message>
      <source>Whether somebody uses this computer cannot be known here.</source>
      <translation>Nie można tu ustalić, czy ktoś używa tego komputera.</translation>
    </message>
    <message>
      <source>While a program fills the screen</source>
      <translation>Gdy program zajmuje cały ekran</translation>
    </message>
    <message>
      <source>While somebody uses this computer</source>
      <translation>Gdy ktoś używa tego komputera</translation>
    </message>
    <message>
      <source>Who answered</source>
      <translation>Kto odpowiedział</translation>
    </message>
    <message>
      <source>Who answers</source>
      <translation>Kto odpowiada</translation>
    </message>
    <message>
      <source>Who answers unless a chat or a request says otherwise: the household, or the local model.</source>
      <translation>Kto odpowiada, jeśli czat lub żądanie nie mówi inaczej: dom czy model lokalny.</translation>
    </message>
    <message>
      <source>Who went on</source>
      <translation>Kto kontynuował</translation>
    </message>
    <message>
      <source>Without a chat for this long, the memory of the local model is given back.</source>
      <translation>Po takim czasie bez rozmowy pamięć modelu lokalnego jest zwalniana.</translation>
    </message>
    <message>
      <source>You are in {name} as: {role}.</source>
      <translation>Jesteś w {name} jako: {role}.</translation>
    </message>
    <message>
      <source>You edit an earlier message. The old one and its answer are kept.</source>
      <translation>Edytujesz wcześniejszą wiadomość. Stara i jej odpowiedź zostaną zachowane.</translation>
    </message>
    <message>
      <source>You get an invitation link for the others once it runs. Only who has one can join.</source>
      <translation>Gdy będzie działać, dostaniesz link z zaproszeniem dla innych. Dołączy tylko ten, kto go ma.</translation>
    </message>
    <message>
      <source>You may not do this. Ask an owner or admin of the household.</source>
      <translation>Nie możesz tego zrobić. Poproś właściciela lub administratora domu.</translation>
    </message>
    <message>
      <source>You stopped this answer.</source>
      <translation>Ta odpowiedź została przez ciebie zatrzymana.</translation>
    </message>
    <message>
      <source>Your chats will be listed here.</source>
      <translation>Tutaj pojawią się twoje czaty.</translation>
    </message>
    <message>
      <source>Your choice about contributing holds only until Homeswarm stops: it cannot be written. Free some space.</source>
      <translation>Twój wybór dotyczący udostępniania obowiązuje tylko do zatrzymania Homeswarm: nie można go zapisać. Zwolnij trochę miejsca.</translation>
    </message>
    <message>
      <source>Your message</source>
      <translation>Twoja wiadomość</translation>
    </message>
    <message>
      <source>a computer</source>
      <translation>komputer</translation>
    </message>
    <message>
      <source>a part of Homeswarm is not running</source>
      <translation>część Homeswarm nie działa</translation>
    </message>
    <message>
      <source>a program fills the screen</source>
      <translation>program zajmuje cały ekran</translation>
    </message>
    <message>
      <source>about {memory} of memory</source>
      <translation>około {memory} pamięci</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens</source>
      <translation>około {used} z {all} tokenów</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens: too long</source>
      <translation>około {used} z {all} tokenów: za długo</translation>
    </message>
    <message>
      <source>admin</source>
      <translation>administrator</translation>
    </message>
    <message numerus="yes">
      <source>after %n token(s)</source>
      <translation>
        <numerusform>po %n tokenie</numerusform>
        <numerusform>po %n tokenach</numerusform>
        <numerusform>po %n tokenach</numerusform>
      </translation>
    </message>
    <message>
      <source>always</source>
      <translation>zawsze</translation>
    </message>
    <message numerus="yes">
      <source>and %n more pause(s)</source>
      <translation>
        <numerusform>i jeszcze %n przerwa</numerusform>
        <numerusform>i jeszcze %n przerwy</numerusform>
        <numerusform>i jeszcze %n przerw</numerusform>
      </translation>
    </message>
    <message>
      <source>announces blocks that the model does not have</source>
      <translation>zgłasza bloki, których model nie ma</translation>
    </message>
    <message>
      <source>announces itself, but does not answer this computer</source>
      <translation>zgłasza się, ale nie odpowiada temu komputerowi</translation>
    </message>
    <message>
      <source>another computer has the same identity</source>
      <translation>inny komputer ma tę samą tożsamość</translation>
    </message>
    <message>
      <source>answering …</source>
      <translation>odpowiada …</translation>
    </message>
    <message>
      <source>answers other computers, but not this one</source>
      <translation>odpowiada innym komputerom, ale nie temu</translation>
    </message>
    <message>
      <source>as in the settings</source>
      <translation>jak w ustawieniach</translation>
    </message>
    <message>
      <source>as long as it needs</source>
      <translation>tak długa, jak trzeba</translation>
    </message>
    <message>
      <source>as the system</source>
      <translation>jak w systemie</translation>
    </message>
    <message>
      <source>as you asked</source>
      <translation>na twoje życzenie</translation>
    </message>
    <message>
      <source>ask</source>
      <translation>pytaj</translation>
    </message>
    <message>
      <source>ask another one beside it</source>
      <translation>zapytaj obok inny</translation>
    </message>
    <message>
      <source>ask me</source>
      <translation>pytaj mnie</translation>
    </message>
    <message>
      <source>asleep</source>
      <translation>śpi</translation>
    </message>
    <message>
      <source>automatic</source>
      <translation>automatycznie</translation>
    </message>
    <message>
      <source>available</source>
      <translation>dostępny</translation>
    </message>
    <message>
      <source>battery</source>
      <translation>bateria</translation>
    </message>
    <message>
      <source>block {first}</source>
      <translation>blok {first}</translation>
    </message>
    <message>
      <source>blocks {first} to {last}</source>
      <translation>bloki od {first} do {last}</translation>
    </message>
    <message>
      <source>broke off the connection</source>
      <translation>zerwał połączenie</translation>
    </message>
    <message>
      <source>cannot be reached</source>
      <translation>jest nieosiągalny</translation>
    </message>
    <message>
      <source>catching up</source>
      <translation>nadrabianie</translation>
    </message>
    <message>
      <source>code</source>
      <translation>kod</translation>
    </message>
    <message>
      <source>contributing is paused</source>
      <translation>udostępnianie wstrzymane</translation>
    </message>
    <message>
      <source>did not answer for {time}</source>
      <translation>nie odpowiadał przez {time}</translation>
    </message>
    <message>
      <source>every block has a spare</source>
      <translation>każdy blok ma zapas</translation>
    </message>
    <message>
      <source>every block is served, some by one computer only</source>
      <translation>każdy blok jest dostępny, niektóre tylko na jednym komputerze</translation>
    </message>
    <message>
      <source>everything covered</source>
      <translation>wszystko pokryte</translation>
    </message>
    <message>
      <source>finding a way</source>
      <translation>szukanie drogi</translation>
    </message>
    <message>
      <source>for tests</source>
      <translation>do testów</translation>
    </message>
    <message>
      <source>for the household</source>
      <translation>dla domu</translation>
    </message>
    <message>
      <source>for this computer</source>
      <translation>dla tego komputera</translation>
    </message>
    <message>
      <source>gives the others more time ({why})</source>
      <translation>daje innym więcej czasu ({why})</translation>
    </message>
    <message>
      <source>go gently</source>
      <translation>delikatnie</translation>
    </message>
    <message>
      <source>guest</source>
      <translation>gość</translation>
    </message>
    <message>
      <source>household</source>
      <translation>dom</translation>
    </message>
    <message>
      <source>in a file</source>
      <translation>w pliku</translation>
    </message>
    <message>
      <source>in one home</source>
      <translation>w jednym domu</translation>
    </message>
    <message>
      <source>in the keyring</source>
      <translation>w bazie kluczy</translation>
    </message>
    <message>
      <source>in use</source>
      <translation>w użyciu</translation>
    </message>
    <message>
      <source>is being answered</source>
      <translation>trwa odpowiedź</translation>
    </message>
    <message>
      <source>it has no model to share</source>
      <translation>nie ma modelu do dzielenia</translation>
    </message>
    <message>
      <source>it is about to sleep</source>
      <translation>zaraz zaśnie</translation>
    </message>
    <message>
      <source>it is being stopped</source>
      <translation>jest właśnie zatrzymywany</translation>
    </message>
    <message>
      <source>it is in no household</source>
      <translation>nie jest w żadnym domu</translation>
    </message>
    <message>
      <source>it is outside the times that you set</source>
      <translation>to pora poza ustawionymi godzinami</translation>
    </message>
    <message>
      <source>it is still looking for the others</source>
      <translation>jeszcze szuka innych</translation>
    </message>
    <message>
      <source>it is still starting</source>
      <translation>jeszcze startuje</translation>
    </message>
    <message>
      <source>it is very busy</source>
      <translation>jest bardzo zajęty</translation>
    </message>
    <message>
      <source>it just changed its network</source>
      <translation>właśnie zmienił sieć</translation>
    </message>
    <message>
      <source>it just woke up</source>
      <translation>właśnie się obudził</translation>
    </message>
    <message>
      <source>it was removed from its household</source>
      <translation>usunięto go z domu</translation>
    </message>
    <message>
      <source>its keys cannot be read now</source>
      <translation>jego kluczy nie można teraz odczytać</translation>
    </message>
    <message>
      <source>its membership is being checked</source>
      <translation>jego członkostwo jest sprawdzane</translation>
    </message>
    <message>
      <source>its own blocks are being loaded</source>
      <translation>jego własne bloki są ładowane</translation>
    </message>
    <message>
      <source>its own blocks are paused</source>
      <translation>jego własne bloki są wstrzymane</translation>
    </message>
    <message>
      <source>joining</source>
      <translation>dołącza</translation>
    </message>
    <message>
      <source>just now</source>
      <translation>przed chwilą</translation>
    </message>
    <message>
      <source>keep running in the tray</source>
      <translation>działaj dalej w zasobniku</translation>
    </message>
    <message>
      <source>language-code</source>
      <translation>pl</translation>
    </message>
    <message>
      <source>left</source>
      <translation>odszedł</translation>
    </message>
    <message>
      <source>less than an hour left</source>
      <translation>została niecała godzina</translation>
    </message>
    <message>
      <source>let this computer answer</source>
      <translation>niech odpowie ten komputer</translation>
    </message>
    <message>
      <source>looking for the others …</source>
      <translation>szukanie pozostałych …</translation>
    </message>
    <message>
      <source>mains</source>
      <translation>z gniazdka</translation>
    </message>
    <message>
      <source>member</source>
      <translation>członek</translation>
    </message>
    <message>
      <source>missing</source>
      <translation>brak</translation>
    </message>
    <message>
      <source>move away from it</source>
      <translation>przenieś się</translation>
    </message>
    <message>
      <source>moved to another address</source>
      <translation>przeniósł się pod inny adres</translation>
    </message>
    <message>
      <source>network {name}</source>
      <translation>sieć {name}</translation>
    </message>
    <message>
      <source>never</source>
      <translation>nigdy</translation>
    </message>
    <message>
      <source>no</source>
      <translation>nie</translation>
    </message>
    <message>
      <source>no difference</source>
      <translation>bez różnicy</translation>
    </message>
    <message>
      <source>no other computer is there</source>
      <translation>nie ma innego komputera</translation>
    </message>
    <message>
      <source>nobody</source>
      <translation>nikt</translation>
    </message>
    <message>
      <source>nobody answers it, so its own connection may be down</source>
      <translation>nikt mu nie odpowiada, może jego własne połączenie nie działa</translation>
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation>nikt nie udostępnia: {blocks}</translation>
    </message>
    <message>
      <source>not shared with anybody</source>
      <translation>z nikim nie dzielony</translation>
    </message>
    <message>
      <source>not sure</source>
      <translation>niepewny</translation>
    </message>
    <message>
      <source>noticing</source>
      <translation>zauważenie</translation>
    </message>
    <message>
      <source>on</source>
      <translation>włączone</translation>
    </message>
    <message>
      <source>on battery</source>
      <translation>na baterii</translation>
    </message>
    <message>
      <source>on mains power</source>
      <translation>na zasilaniu</translation>
    </message>
    <message>
      <source>over the internet</source>
      <translation>przez internet</translation>
    </message>
    <message>
      <source>owner</source>
      <translation>właściciel</translation>
    </message>
    <message>
      <source>pause</source>
      <translation>wstrzymaj</translation>
    </message>
    <message>
      <source>paused contributing</source>
      <translation>wstrzymał udostępnianie</translation>
    </message>
    <message>
      <source>quit</source>
      <translation>zakończ</translation>
    </message>
    <message>
      <source>reading the question …</source>
      <translation>czyta pytanie …</translation>
    </message>
    <message>
      <source>serves another model</source>
      <translation>udostępnia inny model</translation>
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation>udostępnia {span}, pamięć {memory}</translation>
    </message>
    <message>
      <source>some blocks have no computer</source>
      <translation>niektóre bloki nie mają komputera</translation>
    </message>
    <message>
      <source>somebody uses this computer</source>
      <translation>ktoś używa tego komputera</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>uruchamia się</translation>
    </message>
    <message>
      <source>stopped announcing itself</source>
      <translation>przestał się zgłaszać</translation>
    </message>
    <message>
      <source>stopped serving</source>
      <translation>przestał udostępniać</translation>
    </message>
    <message>
      <source>takes {time} for a step</source>
      <translation>potrzebuje {time} na jeden krok</translation>
    </message>
    <message>
      <source>text</source>
      <translation>tekst</translation>
    </message>
    <message>
      <source>the connection to {peer} broke</source>
      <translation>połączenie z {peer} zostało zerwane</translation>
    </message>
    <message>
      <source>the connection to {peer} was slow</source>
      <translation>połączenie z {peer} było wolne</translation>
    </message>
    <message>
      <source>the household</source>
      <translation>dom</translation>
    </message>
    <message>
      <source>the household could not go on</source>
      <translation>dom nie mógł kontynuować</translation>
    </message>
    <message>
      <source>the household gives {rate} tokens/s only</source>
      <translation>dom daje tylko {rate} tokenów/s</translation>
    </message>
    <message>
      <source>the household has been back for {time} only</source>
      <translation>dom wrócił dopiero {time} temu</translation>
    </message>
    <message>
      <source>the household was silent for {time}</source>
      <translation>dom milczał przez {time}</translation>
    </message>
    <message>
      <source>the network is paid by volume</source>
      <translation>sieć jest opłacana według ilości danych</translation>
    </message>
    <message>
      <source>the only model in the store</source>
      <translation>jedyny model w magazynie</translation>
    </message>
    <message>
      <source>the user's local models</source>
      <translation>modele lokalne użytkownika</translation>
    </message>
    <message>
      <source>the user's model store</source>
      <translation>magazyn modeli użytkownika</translation>
    </message>
    <message>
      <source>this computer alone</source>
      <translation>tylko ten komputer</translation>
    </message>
    <message>
      <source>this computer alone answers ({why}) …</source>
      <translation>ten komputer odpowiada sam ({why}) …</translation>
    </message>
    <message>
      <source>this computer answers …</source>
      <translation>ten komputer odpowiada …</translation>
    </message>
    <message>
      <source>this computer runs on battery</source>
      <translation>ten komputer działa na baterii</translation>
    </message>
    <message>
      <source>this computer's name</source>
      <translation>nazwa tego komputera</translation>
    </message>
    <message>
      <source>unreachable</source>
      <translation>nieosiągalny</translation>
    </message>
    <message>
      <source>wait for it</source>
      <translation>czekaj na niego</translation>
    </message>
    <message>
      <source>wait for the household</source>
      <translation>czekaj na dom</translation>
    </message>
    <message>
      <source>was stopped</source>
      <translation>został zatrzymany</translation>
    </message>
    <message>
      <source>what homeswarm local use chose</source>
      <translation>model wybrany powyżej</translation>
    </message>
    <message>
      <source>wire</source>
      <translation>kabel</translation>
    </message>
    <message>
      <source>wireless</source>
      <translation>bezprzewodowo</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>tak</translation>
    </message>
    <message>
      <source>{model} answers on this computer.</source>
      <translation>{model} odpowiada na tym komputerze.</translation>
    </message>
    <message>
      <source>{model} is being made ready …</source>
      <translation>{model} jest przygotowywany …</translation>
    </message>
    <message>
      <source>{moved}, where another kind of processor may choose other words</source>
      <translation>{moved}, gdzie inny procesor może dobrać inne słowa</translation>
    </message>
    <message>
      <source>{names} answer together with {model}.</source>
      <translation>{names} odpowiadają wspólnie modelem {model}.</translation>
    </message>
    <message>
      <source>{names} asleep</source>
      <translation>śpi: {names}</translation>
    </message>
    <message>
      <source>{names}: a newer version of Homeswarm; update this computer</source>
      <translation>{names}: nowsza wersja Homeswarm; zaktualizuj ten komputer</translation>
    </message>
    <message>
      <source>{names}: an older version of Homeswarm; update it there</source>
      <translation>{names}: starsza wersja Homeswarm; zaktualizuj ją tam</translation>
    </message>
    <message>
      <source>{names}: another version of Homeswarm; update the older one</source>
      <translation>{names}: inna wersja Homeswarm; zaktualizuj starszą</translation>
    </message>
    <message>
      <source>{names}: asleep</source>
      <translation>{names}: śpi</translation>
    </message>
    <message>
      <source>{names}: cannot be used</source>
      <translation>{names}: nie do użycia</translation>
    </message>
    <message>
      <source>{names}: no answer</source>
      <translation>{names}: brak odpowiedzi</translation>
    </message>
    <message>
      <source>{names}: paused</source>
      <translation>{names}: wstrzymano</translation>
    </message>
    <message>
      <source>{names}: still loading</source>
      <translation>{names}: jeszcze się ładuje</translation>
    </message>
    <message>
      <source>{names}: stopped</source>
      <translation>{names}: zatrzymany</translation>
    </message>
    <message>
      <source>{name} can no longer use the household's model, on any computer.</source>
      <translation>{name} nie będzie już korzystać z modelu domu na żadnym komputerze.</translation>
    </message>
    <message>
      <source>{name} cannot be read: {why}.</source>
      <translation>Nie można odczytać {name}: {why}.</translation>
    </message>
    <message>
      <source>{name} cannot be written: {why}.</source>
      <translation>Nie można zapisać {name}: {why}.</translation>
    </message>
    <message>
      <source>{name} does not answer any more.</source>
      <translation>{name} już nie odpowiada.</translation>
    </message>
    <message>
      <source>{name} is larger than {size}.</source>
      <translation>{name} jest większy niż {size}.</translation>
    </message>
    <message>
      <source>{name} is not a text file.</source>
      <translation>{name} nie jest plikiem tekstowym.</translation>
    </message>
    <message>
      <source>{name} is removed.</source>
      <translation>Usunięto {name}.</translation>
    </message>
    <message>
      <source>{name} is there.</source>
      <translation>{name} jest gotowy.</translation>
    </message>
    <message>
      <source>{name} wants to join. It must show {digits}.</source>
      <translation>{name} chce dołączyć. Musi pokazywać {digits}.</translation>
    </message>
    <message>
      <source>{name} went to sleep.</source>
      <translation>{name} zasnął.</translation>
    </message>
    <message>
      <source>{name}: this cannot be entered here. {help}</source>
      <translation>{name}: tego nie można tu wpisać. {help}</translation>
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation>{peer} nie mógł kontynuować</translation>
    </message>
    <message>
      <source>{peer} did not answer in time</source>
      <translation>{peer} nie odpowiedział na czas</translation>
    </message>
    <message>
      <source>{peer} paused contributing</source>
      <translation>{peer} wstrzymał udostępnianie</translation>
    </message>
    <message>
      <source>{peer} stopped answering</source>
      <translation>{peer} przestał odpowiadać</translation>
    </message>
    <message>
      <source>{peer} was slow to compute</source>
      <translation>{peer} wolno liczył</translation>
    </message>
    <message>
      <source>{peer} was stopped</source>
      <translation>{peer} został zatrzymany</translation>
    </message>
    <message>
      <source>{peer} was too slow</source>
      <translation>{peer} był za wolny</translation>
    </message>
    <message>
      <source>{peer} went to sleep</source>
      <translation>{peer} zasnął</translation>
    </message>
    <message>
      <source>{rate} tokens/s</source>
      <translation>{rate} tokenów/s</translation>
    </message>
    <message>
      <source>{what}; moved to {others} in {time}</source>
      <translation>{what}; przejście do {others} w {time}</translation>
    </message>
    <message>
      <source>{what}; waited {time} for it</source>
      <translation>{what}; czekano {time}</translation>
    </message>
    <message>
      <source>{why}; this computer went on alone in {time}</source>
      <translation>{why}; ten komputer kontynuował sam po {time}</translation>
    </message>
  </context>
</TS>
