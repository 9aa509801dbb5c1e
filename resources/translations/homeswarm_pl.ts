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
      <source>%n conversation(s) of others and own now</source>
      <translation>
        <numerusform>teraz %n rozmowa, cudza lub własna</numerusform>
        <numerusform>teraz %n rozmowy, cudze i własne</numerusform>
        <numerusform>teraz %n rozmów, cudzych i własnych</numerusform>
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
      <source>%n minute(s) ago</source>
      <translation>
        <numerusform>%n minutę temu</numerusform>
        <numerusform>%n minuty temu</numerusform>
        <numerusform>%n minut temu</numerusform>
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
      <source>A computer refused its part of the work.</source>
      <translation>Jeden z komputerów odmówił swojej części pracy.</translation>
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation>Jeden z komputerów przestał odpowiadać w połowie. Zapytaj ponownie: zostanie wybrana inna droga.</translation>
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation>Plik modelu jest uszkodzony. Zaimportuj go ponownie.</translation>
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation>Wiadomość przyjmuje najwyżej {count} plików.</translation>
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation>Z tym profilem działa już węzeł.</translation>
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation>Część Homeswarm nie działa. Strona domu mówi, co się stało.</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adres</translation>
    </message>
    <message>
      <source>Address of a peer to join the household by; give several for safety. None founds a household.</source>
      <translation>Adres komputera, przez który się dołącza; dla pewności kilka. Bez adresu powstaje nowy dom.</translation>
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation>Adres, pod którym inne komputery osiągają ten.</translation>
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
      <source>An update is needed</source>
      <translation>Potrzebna aktualizacja</translation>
    </message>
    <message>
      <source>Another computer uses the same identity. Only one of them can take part.</source>
      <translation>Inny komputer używa tej samej tożsamości. Tylko jeden z nich może brać udział.</translation>
    </message>
    <message>
      <source>Another program uses the port of the local API.</source>
      <translation>Inny program używa portu lokalnego API.</translation>
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
      <source>Ask something …</source>
      <translation>Zapytaj o coś …</translation>
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
      <source>Between two tokens, 95 % of the time below</source>
      <translation>Między dwoma tokenami, przez 95 % czasu poniżej</translation>
    </message>
    <message>
      <source>Between two tokens, half of the time below</source>
      <translation>Między dwoma tokenami, przez połowę czasu poniżej</translation>
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
      <source>Cache tokens</source>
      <translation>Miejsce na rozmowy</translation>
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
      <source>Chats</source>
      <translation>Czaty</translation>
    </message>
    <message>
      <source>Chooses among the likeliest words that together have this probability.</source>
      <translation>Wybiera spośród najbardziej prawdopodobnych słów, które razem mają to prawdopodobieństwo.</translation>
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
      <source>Compute threads for each child process; 0 chooses.</source>
      <translation>Wątki obliczeniowe na proces; 0 wybiera samo.</translation>
    </message>
    <message>
      <source>Computers</source>
      <translation>Komputery</translation>
    </message>
    <message>
      <source>Context tokens</source>
      <translation>Najdłuższa rozmowa</translation>
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
      <source>Contributing, as you asked, although {why}</source>
      <translation>Udostępnianie na Twoje życzenie, choć {why}</translation>
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
      <source>Door port</source>
      <translation type="unfinished" />
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
      <source>Fallback</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation>Plików modelu brakuje lub są ucięte. Zaimportuj go ponownie.</translation>
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation>Folder magazynu modeli.</translation>
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation>Na przykład: Jesteś cierpliwym nauczycielem. Odpowiadaj krótko.</translation>
    </message>
    <message>
      <source>Free after s</source>
      <translation>Zwolnij pamięć po</translation>
    </message>
    <message>
      <source>Getting ready …</source>
      <translation>Przygotowywanie …</translation>
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
      <translation type="unfinished" />
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
      <source>Homeswarm is not running on this computer yet.</source>
      <translation>Homeswarm jeszcze nie działa na tym komputerze.</translation>
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation>Węzeł Homeswarm nie działa na tym komputerze.</translation>
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
      <translation type="unfinished" />
    </message>
    <message>
      <source>How this answer came about</source>
      <translation>Jak powstała ta odpowiedź</translation>
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
      <source>Invite a computer</source>
      <translation>Zaproś komputer</translation>
    </message>
    <message>
      <source>Join</source>
      <translation>Dołącz przez</translation>
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
      <source>Keep awake</source>
      <translation>Nie usypiaj</translation>
    </message>
    <message>
      <source>Keep local</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep running</source>
      <translation>Niech działa dalej</translation>
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation type="unfinished" />
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
      <source>Leave the household</source>
      <translation>Opuść dom</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>Długość</translation>
    </message>
    <message>
      <source>Link</source>
      <translation>Link</translation>
    </message>
    <message>
      <source>Listen</source>
      <translation>Nasłuchuj na</translation>
    </message>
    <message>
      <source>Local API</source>
      <translation>Lokalne API</translation>
    </message>
    <message>
      <source>Local idle s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Local model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Local models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Longest conversation of your own, question and answer together.</source>
      <translation>Najdłuższa własna rozmowa, pytanie i odpowiedź razem.</translation>
    </message>
    <message>
      <source>Members</source>
      <translation>Członkowie</translation>
    </message>
    <message>
      <source>Min speed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model</source>
      <translation>Model</translation>
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
      <translation type="unfinished" />
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
      <source>No answer has been given yet.</source>
      <translation>Nie udzielono jeszcze żadnej odpowiedzi.</translation>
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
      <source>Nothing found.</source>
      <translation>Nic nie znaleziono.</translation>
    </message>
    <message>
      <source>On battery</source>
      <translation>Na baterii</translation>
    </message>
    <message>
      <source>On metered</source>
      <translation>W płatnej sieci</translation>
    </message>
    <message>
      <source>One moment</source>
      <translation>Chwileczkę</translation>
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
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
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation>Inne programy na tym komputerze mogą przez nie korzystać z modelu, tak jak przez API OpenAI.</translation>
    </message>
    <message>
      <source>Paste the link, or scan its QR code with a phone and send the text of it to this computer.</source>
      <translation>Wklej link albo zeskanuj jego kod QR telefonem i prześlij tekst na ten komputer.</translation>
    </message>
    <message>
      <source>Pasted text</source>
      <translation>Wklejony tekst</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>Wstrzymaj na godzinę</translation>
    </message>
    <message>
      <source>Paused until {time}, as you asked</source>
      <translation>Wstrzymane do {time} na Twoje życzenie</translation>
    </message>
    <message>
      <source>Paused until {time}: {why}</source>
      <translation>Wstrzymane do {time}: {why}</translation>
    </message>
    <message>
      <source>Paused, as you asked</source>
      <translation>Wstrzymane na Twoje życzenie</translation>
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
      <source>Policy</source>
      <translation>Zasada</translation>
    </message>
    <message>
      <source>Port</source>
      <translation>Port</translation>
    </message>
    <message>
      <source>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</source>
      <translation type="unfinished" />
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
      <source>Prefer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation>Przygotowywanie modelu …</translation>
    </message>
    <message>
      <source>Preset</source>
      <translation>Cierpliwość</translation>
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
      <translation type="unfinished" />
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
      <source>Schedule</source>
      <translation>Godziny</translation>
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
      <source>Secrets</source>
      <translation type="unfinished" />
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
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation type="unfinished" />
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
      <source>Somebody in your household has sent you an invitation.</source>
      <translation>Ktoś z domu wysłał ci zaproszenie.</translation>
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation>W węźle coś poszło nie tak. Szczegóły są w jego dzienniku.</translation>
    </message>
    <message>
      <source>Span</source>
      <translation>Bloki</translation>
    </message>
    <message>
      <source>Standby</source>
      <translation>Komputer zapasowy</translation>
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
      <source>Stop the answer</source>
      <translation>Zatrzymaj odpowiedź</translation>
    </message>
    <message>
      <source>Swarm port</source>
      <translation>Port w domu</translation>
    </message>
    <message>
      <source>Takeover ms</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation>Powiadamiaj, gdy komputer zasypia lub znika</translation>
    </message>
    <message>
      <source>That did not work.</source>
      <translation>To się nie udało.</translation>
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
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation>Komputery w domu wspólnie uruchamiają jeden model językowy. Nic nie opuszcza domu.</translation>
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
      <source>The folder of the profile cannot be used.</source>
      <translation>Nie można użyć folderu profilu.</translation>
    </message>
    <message>
      <source>The household can answer.</source>
      <translation>Dom może odpowiadać.</translation>
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation>Dom nie może odpowiadać, dopóki nie wrócą.</translation>
    </message>
    <message>
      <source>The import could not be started.</source>
      <translation>Nie udało się uruchomić importu.</translation>
    </message>
    <message>
      <source>The import failed.</source>
      <translation>Import się nie powiódł.</translation>
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation>Baza kluczy jest zablokowana, więc ten komputer nie może potwierdzić tożsamości. Odblokuj ją.</translation>
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation>Ostatnia odpowiedź przeszła przez: {names}.</translation>
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation>Sprawdzanie członkostwa …</translation>
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation>Model do uruchomienia, według nazwy lub identyfikatora w magazynie (zob. `homeswarm model list`).</translation>
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
      <source>The node of this version does not know members and invitations yet.</source>
      <translation>Węzeł tej wersji nie zna jeszcze członków i zaproszeń.</translation>
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
      <source>The request makes no sense to the node.</source>
      <translation>To żądanie nie ma dla węzła sensu.</translation>
    </message>
    <message>
      <source>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</source>
      <translation>To samo, gdy program zajmuje cały ekran: gra, film, prezentacja. Domyślnie pause, bo każde zacięcie od razu tam widać.</translation>
    </message>
    <message>
      <source>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</source>
      <translation>To samo, gdy używana sieć jest opłacana według ilości danych, jak w telefonie. Domyślnie pause, bo przechodzi przez nią każdy kawałek odpowiedzi.</translation>
    </message>
    <message>
      <source>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</source>
      <translation>To samo, gdy ten komputer działa na baterii. Domyślnie pause, bo odpowiedzi innych by ją rozładowały; własne rozmowy trwają dalej.</translation>
    </message>
    <message>
      <source>This app</source>
      <translation>Ta aplikacja</translation>
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
      <source>This computer is in no household yet.</source>
      <translation>Ten komputer nie należy jeszcze do żadnego domu.</translation>
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
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation>To otwarty rój na tym komputerze, bez członków i zaproszeń.</translation>
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
      <source>To the first word</source>
      <translation>Do pierwszego słowa</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Razem</translation>
    </message>
    <message>
      <source>Token</source>
      <translation>Token</translation>
    </message>
    <message>
      <source>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</source>
      <translation type="unfinished" />
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
      <source>Welcome to Homeswarm</source>
      <translation>Witaj w Homeswarm</translation>
    </message>
    <message>
      <source>What happens to contributing while somebody uses this computer, and for five minutes after: gentle lets their programs go first and still answers the household; pause serves nobody else meanwhile; ignore makes no difference. Gentle by default, because most use leaves a processor idle.</source>
      <translation>Co dzieje się z udostępnianiem, gdy ktoś używa tego komputera i przez pięć minut potem: gentle przepuszcza inne programy i nadal odpowiada domownikom; pause nikomu innemu wtedy nie służy; ignore niczego nie zmienia. Domyślnie gentle, bo przy zwykłej pracy procesor i tak ma wolną chwilę.</translation>
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation>Tyle model może mieć naraz w pamięci. Gdy się zapełni, najstarsze wiadomości są pomijane.</translation>
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
      <translation type="unfinished" />
    </message>
    <message>
      <source>When active</source>
      <translation>Gdy ktoś używa</translation>
    </message>
    <message>
      <source>When full screen</source>
      <translation>Przy pełnym ekranie</translation>
    </message>
    <message>
      <source>When the household cannot answer in time: auto lets the local model begin or go on, and says so; ask leaves it to you; never waits for the household alone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>When the local model is in memory: auto while you chat and the household has no spare computer, one is in doubt, or it answers; always, all the time.</source>
      <translation type="unfinished" />
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
      <source>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Whether an owner's or admin's computer tells the network that a household is here which one can ask to join, and a computer in no swarm looks for one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Who answered</source>
      <translation>Kto odpowiedział</translation>
    </message>
    <message>
      <source>Who answers unless a chat or a request says otherwise: the household, or the local model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Without a chat for this long, the memory of the local model is given back.</source>
      <translation type="unfinished" />
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
      <source>You stopped this answer.</source>
      <translation>Ta odpowiedź została przez ciebie zatrzymana.</translation>
    </message>
    <message>
      <source>Your chats will be listed here.</source>
      <translation>Tutaj pojawią się twoje czaty.</translation>
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
      <source>a program fills the screen</source>
      <translation>program zajmuje cały ekran</translation>
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
    <message>
      <source>after {count} tokens</source>
      <translation>po tokenach: {count}</translation>
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
      <source>answering …</source>
      <translation>odpowiada …</translation>
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
      <source>ask</source>
      <translation>pytaj</translation>
    </message>
    <message>
      <source>asleep</source>
      <translation>śpi</translation>
    </message>
    <message>
      <source>available</source>
      <translation>dostępny</translation>
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
      <source>guest</source>
      <translation>gość</translation>
    </message>
    <message>
      <source>household</source>
      <translation>dom</translation>
    </message>
    <message>
      <source>is being answered</source>
      <translation>trwa odpowiedź</translation>
    </message>
    <message>
      <source>it is outside the times that you set</source>
      <translation>to pora poza ustawionymi godzinami</translation>
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
      <source>looking for the others …</source>
      <translation>szukanie pozostałych …</translation>
    </message>
    <message>
      <source>member</source>
      <translation>członek</translation>
    </message>
    <message>
      <source>milliseconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>missing</source>
      <translation>brak</translation>
    </message>
    <message>
      <source>network {name}</source>
      <translation>sieć {name}</translation>
    </message>
    <message>
      <source>nobody</source>
      <translation>nikt</translation>
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation>nikt nie udostępnia: {blocks}</translation>
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
      <source>owner</source>
      <translation>właściciel</translation>
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
      <source>seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation>udostępnia {span}, pamięć {memory}</translation>
    </message>
    <message>
      <source>somebody uses this computer</source>
      <translation>ktoś używa tego komputera</translation>
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
      <source>the network is paid by volume</source>
      <translation>sieć jest opłacana według ilości danych</translation>
    </message>
    <message>
      <source>this computer alone</source>
      <translation>tylko ten komputer</translation>
    </message>
    <message>
      <source>this computer runs on battery</source>
      <translation>ten komputer działa na baterii</translation>
    </message>
    <message>
      <source>tokens</source>
      <translation>tokenów</translation>
    </message>
    <message>
      <source>unreachable</source>
      <translation>nieosiągalny</translation>
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
      <source>{model}, {count} blocks</source>
      <translation>{model}, liczba bloków: {count}</translation>
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
      <source>{name} wants to join. It must show {digits}.</source>
      <translation>{name} chce dołączyć. Musi pokazywać {digits}.</translation>
    </message>
    <message>
      <source>{name} went to sleep.</source>
      <translation>{name} zasnął.</translation>
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation>{peer} nie mógł kontynuować</translation>
    </message>
    <message>
      <source>{peer} paused contributing</source>
      <translation>{peer} wstrzymuje udostępnianie</translation>
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
  </context>
</TS>
