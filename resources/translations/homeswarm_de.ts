<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>homeswarm</name>
    <message>
      <source> and </source>
      <translation> und </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s) missing</source>
      <translation>
        <numerusform>%n Block fehlt</numerusform>
        <numerusform>%n Blöcke fehlen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n computer(s)</source>
      <translation>
        <numerusform>%n Computer</numerusform>
        <numerusform>%n Computer</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s)</source>
      <translation>
        <numerusform>%n Gespräch</numerusform>
        <numerusform>%n Gespräche</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s) of others and own now</source>
      <translation>
        <numerusform>jetzt %n Gespräch, fremd oder eigen</numerusform>
        <numerusform>jetzt %n Gespräche, fremde und eigene</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s) ago</source>
      <translation>
        <numerusform>vor %n Tag</numerusform>
        <numerusform>vor %n Tagen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) ago</source>
      <translation>
        <numerusform>vor %n Stunde</numerusform>
        <numerusform>vor %n Stunden</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) left</source>
      <translation>
        <numerusform>noch %n Stunde</numerusform>
        <numerusform>noch %n Stunden</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s) ago</source>
      <translation>
        <numerusform>vor %n Minute</numerusform>
        <numerusform>vor %n Minuten</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n token(s)</source>
      <translation>
        <numerusform>%n Token</numerusform>
        <numerusform>%n Tokens</numerusform>
      </translation>
    </message>
    <message>
      <source>&amp;Instruction for the model</source>
      <translation>&amp;Anweisung an das Modell</translation>
    </message>
    <message>
      <source>&amp;Link</source>
      <translation>&amp;Link</translation>
    </message>
    <message>
      <source>&amp;Longest answer</source>
      <translation>&amp;Längste Antwort</translation>
    </message>
    <message>
      <source>&amp;Repeatable, with this seed</source>
      <translation>&amp;Wiederholbar, mit diesem Startwert</translation>
    </message>
    <message>
      <source>&amp;Temperature</source>
      <translation>&amp;Temperatur</translation>
    </message>
    <message>
      <source>(this computer)</source>
      <translation>(dieser Computer)</translation>
    </message>
    <message>
      <source>, then </source>
      <translation>, dann </translation>
    </message>
    <message>
      <source>0 always takes the likeliest word; higher is more varied.</source>
      <translation>0 nimmt immer das wahrscheinlichste Wort; höher ist abwechslungsreicher.</translation>
    </message>
    <message>
      <source>A computer has no memory left for this conversation.</source>
      <translation>Ein Computer hat keinen Speicher mehr für dieses Gespräch.</translation>
    </message>
    <message>
      <source>A computer is about to sleep. Ask again: another way is taken.</source>
      <translation>Ein Computer geht gerade schlafen. Frag noch einmal: Dann wird ein anderer Weg genommen.</translation>
    </message>
    <message>
      <source>A computer is gone</source>
      <translation>Ein Computer ist weg</translation>
    </message>
    <message>
      <source>A computer refused its part of the work.</source>
      <translation>Ein Computer hat seinen Teil der Arbeit abgelehnt.</translation>
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation>Ein Computer hat mittendrin aufgehört zu antworten. Frag noch einmal: Dann wird ein anderer Weg genommen.</translation>
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation>Eine Datei des Modells ist beschädigt. Importiere es noch einmal.</translation>
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation>Eine Nachricht nimmt höchstens {count} Dateien.</translation>
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation>Mit diesem Profil läuft schon ein Knoten.</translation>
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation>Ein Teil von Homeswarm läuft nicht. Die Haushaltsseite sagt, was geschehen ist.</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>Address of a peer to join the household by; give several for safety. None founds a household.</source>
      <translation>Adresse eines Computers, über den beigetreten wird; zur Sicherheit mehrere. Ohne eine wird ein Haushalt gegründet.</translation>
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation>Adresse, unter der andere Computer diesen erreichen.</translation>
    </message>
    <message>
      <source>After a pause of this long in which you did not chat either, the memory of the blocks is given back; they are loaded anew when contributing begins again. 0 keeps it, so that they are there at once.</source>
      <translation>Nach einer so langen Pause, in der auch du nicht gechattet hast, wird der Speicher der Blöcke freigegeben; sie werden neu geladen, wenn das Mitmachen wieder beginnt. 0 behält ihn, damit sie gleich da sind.</translation>
    </message>
    <message>
      <source>After that</source>
      <translation>Danach</translation>
    </message>
    <message>
      <source>An invitation begins with {start}.</source>
      <translation>Eine Einladung beginnt mit {start}.</translation>
    </message>
    <message>
      <source>An update is needed</source>
      <translation>Ein Update ist nötig</translation>
    </message>
    <message>
      <source>Another computer uses the same identity. Only one of them can take part.</source>
      <translation>Ein anderer Computer benutzt dieselbe Identität. Nur einer von beiden kann teilnehmen.</translation>
    </message>
    <message>
      <source>Another program uses the port of the local API.</source>
      <translation>Ein anderes Programm benutzt den Port der lokalen Schnittstelle.</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <source>Answer again</source>
      <translation>Noch einmal antworten</translation>
    </message>
    <message>
      <source>Approve</source>
      <translation>Annehmen</translation>
    </message>
    <message>
      <source>Ask something …</source>
      <translation>Frag etwas …</translation>
    </message>
    <message>
      <source>Asleep: {names}</source>
      <translation>Schlafen: {names}</translation>
    </message>
    <message>
      <source>Attach text files</source>
      <translation>Textdateien anhängen</translation>
    </message>
    <message>
      <source>Attention cache for the conversations of the whole household on this computer.</source>
      <translation>Zwischenspeicher für die Gespräche des ganzen Haushalts auf diesem Computer.</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Between two tokens, 95 % of the time below</source>
      <translation>Zwischen zwei Tokens, in 95 % der Zeit darunter</translation>
    </message>
    <message>
      <source>Between two tokens, half of the time below</source>
      <translation>Zwischen zwei Tokens, die Hälfte der Zeit darunter</translation>
    </message>
    <message>
      <source>Blocks</source>
      <translation>Blöcke</translation>
    </message>
    <message>
      <source>Blocks are missing</source>
      <translation>Blöcke fehlen</translation>
    </message>
    <message>
      <source>Blocks of the model and who serves them</source>
      <translation>Blöcke des Modells und wer sie bereitstellt</translation>
    </message>
    <message>
      <source>Cache tokens</source>
      <translation>Platz für Gespräche</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Cancel the invitation</source>
      <translation>Einladung zurückziehen</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>Chats</translation>
    </message>
    <message>
      <source>Chooses among the likeliest words that together have this probability.</source>
      <translation>Wählt unter den wahrscheinlichsten Wörtern, die zusammen diese Wahrscheinlichkeit haben.</translation>
    </message>
    <message>
      <source>Close the window</source>
      <translation>Fenster schließen</translation>
    </message>
    <message>
      <source>Code, {language}</source>
      <translation>Code, {language}</translation>
    </message>
    <message>
      <source>Compute</source>
      <translation>Rechenzeit</translation>
    </message>
    <message>
      <source>Compute threads for each child process; 0 chooses.</source>
      <translation>Rechenfäden je Prozess; 0 wählt selbst.</translation>
    </message>
    <message>
      <source>Computers</source>
      <translation>Computer</translation>
    </message>
    <message>
      <source>Context tokens</source>
      <translation>Längstes Gespräch</translation>
    </message>
    <message>
      <source>Contribute</source>
      <translation>Mitmachen</translation>
    </message>
    <message>
      <source>Contributing</source>
      <translation>Macht mit</translation>
    </message>
    <message>
      <source>Contributing gently: {why}</source>
      <translation>Macht zurückhaltend mit: {why}</translation>
    </message>
    <message>
      <source>Contributing is paused</source>
      <translation>Das Mitmachen ruht</translation>
    </message>
    <message>
      <source>Contributing, as you asked, although {why}</source>
      <translation>Macht wie gewünscht mit, obwohl: {why}</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>Gespräch</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Copy the token</source>
      <translation>Token kopieren</translation>
    </message>
    <message>
      <source>Copy this answer</source>
      <translation>Diese Antwort kopieren</translation>
    </message>
    <message>
      <source>Copy this code</source>
      <translation>Diesen Code kopieren</translation>
    </message>
    <message>
      <source>Copy this message</source>
      <translation>Diese Nachricht kopieren</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Delete a chat</source>
      <translation>Einen Chat löschen</translation>
    </message>
    <message>
      <source>Delete this chat? It cannot be brought back.</source>
      <translation>Diesen Chat löschen? Er lässt sich nicht zurückholen.</translation>
    </message>
    <message>
      <source>Delete …</source>
      <translation>Löschen …</translation>
    </message>
    <message>
      <source>Do not contribute</source>
      <translation>Nicht mitmachen</translation>
    </message>
    <message>
      <source>Do not edit</source>
      <translation>Nicht bearbeiten</translation>
    </message>
    <message>
      <source>Door port</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Earlier version</source>
      <translation>Frühere Fassung</translation>
    </message>
    <message>
      <source>Edit this message and send it again</source>
      <translation>Diese Nachricht bearbeiten und neu senden</translation>
    </message>
    <message>
      <source>Everything is covered again</source>
      <translation>Alles ist wieder abgedeckt</translation>
    </message>
    <message>
      <source>Export as JSON …</source>
      <translation>Als JSON exportieren …</translation>
    </message>
    <message>
      <source>Export as Markdown …</source>
      <translation>Als Markdown exportieren …</translation>
    </message>
    <message>
      <source>Export this chat</source>
      <translation>Diesen Chat exportieren</translation>
    </message>
    <message>
      <source>Exported to {name}.</source>
      <translation>Nach {name} exportiert.</translation>
    </message>
    <message>
      <source>Fallback</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation>Dateien des Modells fehlen oder sind unvollständig. Importiere es noch einmal.</translation>
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation>Ordner des Modellspeichers.</translation>
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation>Zum Beispiel: Du bist ein geduldiger Lehrer. Antworte kurz.</translation>
    </message>
    <message>
      <source>Free after s</source>
      <translation>Speicher freigeben nach</translation>
    </message>
    <message>
      <source>Getting ready …</source>
      <translation>Wird vorbereitet …</translation>
    </message>
    <message>
      <source>Go on contributing when the app has quit</source>
      <translation>Weiter mitmachen, wenn die App beendet ist</translation>
    </message>
    <message>
      <source>Good night</source>
      <translation>Gute Nacht</translation>
    </message>
    <message>
      <source>Have a second computer keep up with each of your answers, so that a loss costs no replay. Your answers then take twice the memory and twice the work of the household; homeswarm status shows the price in memory before you switch it on.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hide this notice</source>
      <translation>Hinweis ausblenden</translation>
    </message>
    <message>
      <source>Home</source>
      <translation>Zuhause</translation>
    </message>
    <message>
      <source>Homeswarm can stay ready in the tray.</source>
      <translation>Homeswarm kann in der Leiste bereitbleiben.</translation>
    </message>
    <message>
      <source>Homeswarm cannot run this kind of model.</source>
      <translation>Homeswarm kann diese Art von Modell nicht ausführen.</translation>
    </message>
    <message>
      <source>Homeswarm is not running</source>
      <translation>Homeswarm läuft nicht</translation>
    </message>
    <message>
      <source>Homeswarm is not running on this computer yet.</source>
      <translation>Homeswarm läuft auf diesem Computer noch nicht.</translation>
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation>Der Knoten von Homeswarm läuft auf diesem Computer nicht.</translation>
    </message>
    <message>
      <source>Household</source>
      <translation>Haushalt</translation>
    </message>
    <message>
      <source>How much of the model's memory the conversation takes</source>
      <translation>Wie viel vom Gedächtnis des Modells das Gespräch einnimmt</translation>
    </message>
    <message>
      <source>How soon a silent computer is given up: home_lan within about a second, for computers of one home; over_internet within about three, for lines that lose packets; test is for tests on one computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How this answer came about</source>
      <translation>Wie diese Antwort entstand</translation>
    </message>
    <message>
      <source>Instruction and sampling of this chat</source>
      <translation>Anweisung und Auswahl dieses Chats</translation>
    </message>
    <message>
      <source>Invitation link</source>
      <translation>Einladungslink</translation>
    </message>
    <message>
      <source>Invite a computer</source>
      <translation>Einen Computer einladen</translation>
    </message>
    <message>
      <source>Join</source>
      <translation>Beitreten über</translation>
    </message>
    <message>
      <source>Join a household</source>
      <translation>Einem Haushalt beitreten</translation>
    </message>
    <message>
      <source>Join with a link</source>
      <translation>Mit einem Link beitreten</translation>
    </message>
    <message>
      <source>Joining the household …</source>
      <translation>Tritt dem Haushalt bei …</translation>
    </message>
    <message>
      <source>Just chat on this computer</source>
      <translation>Nur auf diesem Computer chatten</translation>
    </message>
    <message>
      <source>Keep awake</source>
      <translation>Wach bleiben</translation>
    </message>
    <message>
      <source>Keep local</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep running</source>
      <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Language (after the next start)</source>
      <translation>Sprache (nach dem nächsten Start)</translation>
    </message>
    <message>
      <source>Later version</source>
      <translation>Spätere Fassung</translation>
    </message>
    <message>
      <source>Leave</source>
      <translation>Verlassen</translation>
    </message>
    <message>
      <source>Leave the household</source>
      <translation>Den Haushalt verlassen</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>Länge</translation>
    </message>
    <message>
      <source>Link</source>
      <translation>Link</translation>
    </message>
    <message>
      <source>Listen</source>
      <translation>Erreichbar unter</translation>
    </message>
    <message>
      <source>Local API</source>
      <translation>Lokale Schnittstelle</translation>
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
      <translation>Dein längstes Gespräch, Frage und Antwort zusammen.</translation>
    </message>
    <message>
      <source>Members</source>
      <translation>Mitglieder</translation>
    </message>
    <message>
      <source>Min speed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Modelle</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>Name of the &amp;household</source>
      <translation>Name des &amp;Haushalts</translation>
    </message>
    <message>
      <source>Name of the household</source>
      <translation>Name des Haushalts</translation>
    </message>
    <message>
      <source>Name of this &amp;computer</source>
      <translation>Name dieses &amp;Computers</translation>
    </message>
    <message>
      <source>Nearby</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New chat</source>
      <translation>Neuer Chat</translation>
    </message>
    <message>
      <source>New chat (Ctrl+N)</source>
      <translation>Neuer Chat (Strg+N)</translation>
    </message>
    <message>
      <source>No answer has been given yet.</source>
      <translation>Es wurde noch keine Antwort gegeben.</translation>
    </message>
    <message>
      <source>Nobody</source>
      <translation>Niemand</translation>
    </message>
    <message>
      <source>Nobody serves blocks yet.</source>
      <translation>Noch stellt niemand Blöcke bereit.</translation>
    </message>
    <message>
      <source>Nothing found.</source>
      <translation>Nichts gefunden.</translation>
    </message>
    <message>
      <source>On battery</source>
      <translation>Im Akkubetrieb</translation>
    </message>
    <message>
      <source>On metered</source>
      <translation>Im bezahlten Netz</translation>
    </message>
    <message>
      <source>One moment</source>
      <translation>Einen Augenblick</translation>
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open Homeswarm</source>
      <translation>Homeswarm öffnen</translation>
    </message>
    <message>
      <source>Open invitation for: {role}</source>
      <translation>Offene Einladung für: {role}</translation>
    </message>
    <message>
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation>Andere Programme auf diesem Computer können das Modell darüber benutzen, wie über die von OpenAI.</translation>
    </message>
    <message>
      <source>Paste the link, or scan its QR code with a phone and send the text of it to this computer.</source>
      <translation>Füge den Link ein, oder lies seinen QR-Code mit einem Telefon und schicke den Text an diesen Computer.</translation>
    </message>
    <message>
      <source>Pasted text</source>
      <translation>Eingefügter Text</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>Eine Stunde pausieren</translation>
    </message>
    <message>
      <source>Paused until {time}, as you asked</source>
      <translation>Pausiert bis {time}, wie gewünscht</translation>
    </message>
    <message>
      <source>Paused until {time}: {why}</source>
      <translation>Pausiert bis {time}: {why}</translation>
    </message>
    <message>
      <source>Paused, as you asked</source>
      <translation>Pausiert, wie gewünscht</translation>
    </message>
    <message>
      <source>Paused: {why}</source>
      <translation>Pausiert: {why}</translation>
    </message>
    <message>
      <source>Pauses</source>
      <translation>Pausen</translation>
    </message>
    <message>
      <source>Policy</source>
      <translation>Vorgehen</translation>
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
      <translation>Port der lokalen Schnittstelle, nur auf diesem Computer; 0 nimmt einen freien (er steht in api.json im Profil).</translation>
    </message>
    <message>
      <source>Port on which other computers reach this one; 0 takes a free one.</source>
      <translation>Port, unter dem andere Computer diesen erreichen; 0 nimmt einen freien.</translation>
    </message>
    <message>
      <source>Prefer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation>Das Modell wird vorbereitet …</translation>
    </message>
    <message>
      <source>Preset</source>
      <translation>Geduld</translation>
    </message>
    <message>
      <source>QR code of the invitation</source>
      <translation>QR-Code der Einladung</translation>
    </message>
    <message>
      <source>Question and history</source>
      <translation>Frage und Verlauf</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>Quit Homeswarm</source>
      <translation>Homeswarm beenden</translation>
    </message>
    <message>
      <source>Refuse</source>
      <translation>Ablehnen</translation>
    </message>
    <message>
      <source>Remember this</source>
      <translation>Das merken</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Remove a member</source>
      <translation>Ein Mitglied entfernen</translation>
    </message>
    <message>
      <source>Remove {name}</source>
      <translation>{name} entfernen</translation>
    </message>
    <message>
      <source>Rename this chat</source>
      <translation>Diesen Chat umbenennen</translation>
    </message>
    <message>
      <source>Rename …</source>
      <translation>Umbenennen …</translation>
    </message>
    <message>
      <source>Restart the node for the new settings: this app has not started it.</source>
      <translation>Starte den Knoten für die neuen Einstellungen neu: Diese App hat ihn nicht gestartet.</translation>
    </message>
    <message>
      <source>Round trip</source>
      <translation>Hin und zurück</translation>
    </message>
    <message>
      <source>Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on this computer alone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Saved.</source>
      <translation>Gespeichert.</translation>
    </message>
    <message>
      <source>Saved. The node starts anew.</source>
      <translation>Gespeichert. Der Knoten startet neu.</translation>
    </message>
    <message>
      <source>Schedule</source>
      <translation>Zeiten</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <source>Search all chats</source>
      <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
      <source>Secrets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Send</source>
      <translation>Senden</translation>
    </message>
    <message>
      <source>Serves {span}</source>
      <translation>Stellt {span} bereit</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>Settings of this chat</source>
      <translation>Einstellungen dieses Chats</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>Alles zeigen</translation>
    </message>
    <message>
      <source>Show all of this message</source>
      <translation>Die ganze Nachricht zeigen</translation>
    </message>
    <message>
      <source>Show everything</source>
      <translation>Alles zeigen</translation>
    </message>
    <message>
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Some blocks have no computer now. Wake one that holds them, or start another.</source>
      <translation>Einige Blöcke hat gerade kein Computer. Wecke einen, der sie hat, oder starte einen weiteren.</translation>
    </message>
    <message>
      <source>Somebody asks to join</source>
      <translation>Jemand möchte beitreten</translation>
    </message>
    <message>
      <source>Somebody in your household has sent you an invitation.</source>
      <translation>Jemand aus deinem Haushalt hat dir eine Einladung geschickt.</translation>
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation>Im Knoten ist etwas schiefgegangen. Einzelheiten stehen in seinem Protokoll.</translation>
    </message>
    <message>
      <source>Span</source>
      <translation>Blöcke</translation>
    </message>
    <message>
      <source>Standby</source>
      <translation>Ersatzcomputer</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>Starten</translation>
    </message>
    <message>
      <source>Start a household</source>
      <translation>Einen Haushalt gründen</translation>
    </message>
    <message>
      <source>Start when I log in</source>
      <translation>Beim Anmelden starten</translation>
    </message>
    <message>
      <source>Starting …</source>
      <translation>Startet …</translation>
    </message>
    <message>
      <source>State</source>
      <translation>Zustand</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>Antwort anhalten</translation>
    </message>
    <message>
      <source>Swarm port</source>
      <translation>Port im Haushalt</translation>
    </message>
    <message>
      <source>Takeover ms</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation>Melden, wenn ein Computer schlafen geht oder verloren geht</translation>
    </message>
    <message>
      <source>That did not work.</source>
      <translation>Das hat nicht geklappt.</translation>
    </message>
    <message numerus="yes">
      <source>The %n oldest message(s) no longer fitted and were left out.</source>
      <translation>
        <numerusform>Die älteste Nachricht passte nicht mehr und wurde weggelassen (%n).</numerusform>
        <numerusform>Die %n ältesten Nachrichten passten nicht mehr und wurden weggelassen.</numerusform>
      </translation>
    </message>
    <message>
      <source>The answer being given goes through {names}.</source>
      <translation>Die laufende Antwort geht über {names}.</translation>
    </message>
    <message>
      <source>The answer did not begin.</source>
      <translation>Die Antwort hat nicht begonnen.</translation>
    </message>
    <message>
      <source>The answer reached its longest allowed length.</source>
      <translation>Die Antwort hat ihre längste erlaubte Länge erreicht.</translation>
    </message>
    <message>
      <source>The answer was cut off when Homeswarm ended.</source>
      <translation>Die Antwort wurde abgebrochen, als Homeswarm endete.</translation>
    </message>
    <message>
      <source>The blocks to serve to the household: START:END (END not included), auto to choose what the household lacks most, or none to only chat.</source>
      <translation>Die Blöcke, die dem Haushalt bereitgestellt werden: START:ENDE (ENDE nicht dabei), auto wählt, was am meisten fehlt, none nur zum Chatten.</translation>
    </message>
    <message>
      <source>The chats' part of Homeswarm does not run.</source>
      <translation>Der Teil von Homeswarm für die Chats läuft nicht.</translation>
    </message>
    <message>
      <source>The computer is busy with other answers. Try again in a moment.</source>
      <translation>Der Computer ist mit anderen Antworten beschäftigt. Versuche es gleich noch einmal.</translation>
    </message>
    <message>
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation>Die Computer deines Haushalts betreiben gemeinsam ein Sprachmodell. Nichts verlässt dein Zuhause.</translation>
    </message>
    <message>
      <source>The conversation does not fit the model's memory. Shorten the message or start a new chat.</source>
      <translation>Das Gespräch passt nicht ins Gedächtnis des Modells. Kürze die Nachricht oder beginne einen neuen Chat.</translation>
    </message>
    <message>
      <source>The disk is full. Free some space; what you wrote is not lost.</source>
      <translation>Die Festplatte ist voll. Schaffe Platz; was du geschrieben hast, ist nicht verloren.</translation>
    </message>
    <message>
      <source>The download failed. Start it again: it goes on where it stopped.</source>
      <translation>Das Herunterladen ist fehlgeschlagen. Starte es noch einmal: Es geht dort weiter, wo es aufgehört hat.</translation>
    </message>
    <message>
      <source>The file with the chats cannot be used.</source>
      <translation>Die Datei mit den Chats ist nicht benutzbar.</translation>
    </message>
    <message>
      <source>The folder of the profile cannot be used.</source>
      <translation>Der Ordner des Profils ist nicht benutzbar.</translation>
    </message>
    <message>
      <source>The household can answer.</source>
      <translation>Der Haushalt kann antworten.</translation>
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation>Der Haushalt kann nicht antworten, bis sie zurück sind.</translation>
    </message>
    <message>
      <source>The import could not be started.</source>
      <translation>Der Import konnte nicht gestartet werden.</translation>
    </message>
    <message>
      <source>The import failed.</source>
      <translation>Der Import ist fehlgeschlagen.</translation>
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation>Der Schlüsselbund ist gesperrt, darum kann dieser Computer sich nicht ausweisen. Entsperre ihn.</translation>
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation>Die letzte Antwort ging über {names}.</translation>
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation>Die Mitgliedschaft wird geprüft …</translation>
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation>Das Modell, nach Name oder Kennung im Speicher (siehe `homeswarm model list`).</translation>
    </message>
    <message>
      <source>The node ended without a word.</source>
      <translation>Der Knoten endete ohne ein Wort.</translation>
    </message>
    <message>
      <source>The node has ended: {why}</source>
      <translation>Der Knoten ist beendet: {why}</translation>
    </message>
    <message>
      <source>The node is not running.</source>
      <translation>Der Knoten läuft nicht.</translation>
    </message>
    <message>
      <source>The node of this version does not know members and invitations yet.</source>
      <translation>Der Knoten dieser Version kennt noch keine Mitglieder und Einladungen.</translation>
    </message>
    <message>
      <source>The node refused this.</source>
      <translation>Der Knoten hat das abgelehnt.</translation>
    </message>
    <message>
      <source>The node said something that this window does not understand.</source>
      <translation>Der Knoten hat etwas gesagt, das dieses Fenster nicht versteht.</translation>
    </message>
    <message>
      <source>The request makes no sense to the node.</source>
      <translation>Die Anfrage ergibt für den Knoten keinen Sinn.</translation>
    </message>
    <message>
      <source>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</source>
      <translation>Dasselbe, solange ein Programm den Bildschirm füllt: ein Spiel, ein Film, ein Vortrag. Voreingestellt ist pause, denn ein Ruckeln fällt dort sofort auf.</translation>
    </message>
    <message>
      <source>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</source>
      <translation>Dasselbe, solange das benutzte Netz nach Menge bezahlt wird, wie das eines Telefons. Voreingestellt ist pause, denn jedes Stück einer Antwort geht hindurch.</translation>
    </message>
    <message>
      <source>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</source>
      <translation>Dasselbe, solange dieser Computer im Akkubetrieb läuft. Voreingestellt ist pause, denn die Antworten der anderen würden den Akku leeren; die eigenen Chats gehen weiter.</translation>
    </message>
    <message>
      <source>This app</source>
      <translation>Diese App</translation>
    </message>
    <message>
      <source>This chat is not there any more.</source>
      <translation>Diesen Chat gibt es nicht mehr.</translation>
    </message>
    <message>
      <source>This computer can come back only with a new invitation.</source>
      <translation>Dieser Computer kann nur mit einer neuen Einladung zurückkommen.</translation>
    </message>
    <message>
      <source>This computer in the household</source>
      <translation>Dieser Computer im Haushalt</translation>
    </message>
    <message>
      <source>This computer is in no household yet.</source>
      <translation>Dieser Computer ist noch in keinem Haushalt.</translation>
    </message>
    <message>
      <source>This computer only chats</source>
      <translation>Dieser Computer chattet nur</translation>
    </message>
    <message>
      <source>This computer serves a part of the model to your household while Homeswarm runs.</source>
      <translation>Dieser Computer stellt deinem Haushalt einen Teil des Modells bereit, solange Homeswarm läuft.</translation>
    </message>
    <message>
      <source>This computer was removed from {name}.</source>
      <translation>Dieser Computer wurde aus {name} entfernt.</translation>
    </message>
    <message>
      <source>This computer, {model}</source>
      <translation>Dieser Computer, {model}</translation>
    </message>
    <message>
      <source>This computer: {facts}</source>
      <translation>Dieser Computer: {facts}</translation>
    </message>
    <message>
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation>Das ist ein offener Schwarm auf diesem Computer, ohne Mitglieder und Einladungen.</translation>
    </message>
    <message>
      <source>This is the first computer. Invite the others afterwards.</source>
      <translation>Dies ist der erste Computer. Lade die anderen danach ein.</translation>
    </message>
    <message>
      <source>This model is not on this computer.</source>
      <translation>Dieses Modell ist nicht auf diesem Computer.</translation>
    </message>
    <message>
      <source>Threads</source>
      <translation>Rechenfäden</translation>
    </message>
    <message>
      <source>Times</source>
      <translation>Zeiten</translation>
    </message>
    <message>
      <source>To the first word</source>
      <translation>Bis zum ersten Wort</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Zusammen</translation>
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
      <translation>Noch einmal versuchen</translation>
    </message>
    <message>
      <source>Try it out with a small model. You can start or join a household later.</source>
      <translation>Probier es mit einem kleinen Modell aus. Einen Haushalt kannst du später gründen oder ihm beitreten.</translation>
    </message>
    <message>
      <source>Welcome to Homeswarm</source>
      <translation>Willkommen bei Homeswarm</translation>
    </message>
    <message>
      <source>What happens to contributing while somebody uses this computer, and for five minutes after: gentle lets their programs go first and still answers the household; pause serves nobody else meanwhile; ignore makes no difference. Gentle by default, because most use leaves a processor idle.</source>
      <translation>Was mit dem Mitmachen geschieht, solange jemand diesen Computer benutzt, und fünf Minuten danach: gentle lässt den anderen Programmen den Vortritt und antwortet dem Haushalt weiter; pause dient in der Zeit sonst niemandem; ignore macht keinen Unterschied. Voreingestellt ist gentle, denn die meiste Zeit bleibt dabei ein Prozessor frei.</translation>
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation>Was das Modell auf einmal im Kopf behalten kann. Ist es voll, werden die ältesten Nachrichten weggelassen.</translation>
    </message>
    <message>
      <source>What this computer is called in the household.</source>
      <translation>Wie dieser Computer im Haushalt heißt.</translation>
    </message>
    <message>
      <source>What would you like to know?</source>
      <translation>Was möchtest du wissen?</translation>
    </message>
    <message>
      <source>What your answers do about a computer that is late but lives: wait for it; hedge, which starts another one beside it and takes whichever is first; or reroute, which moves away once the wait has cost as much as the move. Hedging costs the others a little work, and you nothing when the guess was wrong.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>When active</source>
      <translation>Wenn jemand da ist</translation>
    </message>
    <message>
      <source>When full screen</source>
      <translation>Bei Vollbild</translation>
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
      <translation>Wenn das Fenster geschlossen wird</translation>
    </message>
    <message>
      <source>When this computer contributes: always, or times of day such as 22:00-07:00, or with days mon-fri 18:00-23:00, sat-sun 00:00-24:00. Always by default: a computer that is on can help.</source>
      <translation>Wann dieser Computer mitmacht: always (immer), oder Uhrzeiten wie 22:00-07:00, oder mit Tagen mon-fri 18:00-23:00, sat-sun 00:00-24:00. Voreingestellt ist immer: Ein Computer, der an ist, kann helfen.</translation>
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
      <translation>Wer geantwortet hat</translation>
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
      <translation>Du bist in {name} als: {role}.</translation>
    </message>
    <message>
      <source>You edit an earlier message. The old one and its answer are kept.</source>
      <translation>Du bearbeitest eine frühere Nachricht. Die alte und ihre Antwort bleiben erhalten.</translation>
    </message>
    <message>
      <source>You get an invitation link for the others once it runs. Only who has one can join.</source>
      <translation>Sobald er läuft, bekommst du einen Einladungslink für die anderen. Nur wer einen hat, kann beitreten.</translation>
    </message>
    <message>
      <source>You stopped this answer.</source>
      <translation>Du hast diese Antwort angehalten.</translation>
    </message>
    <message>
      <source>Your chats will be listed here.</source>
      <translation>Hier stehen künftig deine Chats.</translation>
    </message>
    <message>
      <source>Your message</source>
      <translation>Deine Nachricht</translation>
    </message>
    <message>
      <source>a computer</source>
      <translation>ein Computer</translation>
    </message>
    <message>
      <source>a program fills the screen</source>
      <translation>ein Programm füllt den Bildschirm</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens</source>
      <translation>etwa {used} von {all} Tokens</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens: too long</source>
      <translation>etwa {used} von {all} Tokens: zu lang</translation>
    </message>
    <message>
      <source>admin</source>
      <translation>Verwalter</translation>
    </message>
    <message>
      <source>after {count} tokens</source>
      <translation>nach {count} Tokens</translation>
    </message>
    <message numerus="yes">
      <source>and %n more pause(s)</source>
      <translation>
        <numerusform>und %n weitere Pause</numerusform>
        <numerusform>und %n weitere Pausen</numerusform>
      </translation>
    </message>
    <message>
      <source>answering …</source>
      <translation>antwortet …</translation>
    </message>
    <message>
      <source>as long as it needs</source>
      <translation>so lang wie nötig</translation>
    </message>
    <message>
      <source>as the system</source>
      <translation>wie das System</translation>
    </message>
    <message>
      <source>ask</source>
      <translation>fragen</translation>
    </message>
    <message>
      <source>asleep</source>
      <translation>schläft</translation>
    </message>
    <message>
      <source>available</source>
      <translation>verfügbar</translation>
    </message>
    <message>
      <source>block {first}</source>
      <translation>Block {first}</translation>
    </message>
    <message>
      <source>blocks {first} to {last}</source>
      <translation>Blöcke {first} bis {last}</translation>
    </message>
    <message>
      <source>catching up</source>
      <translation>aufholen</translation>
    </message>
    <message>
      <source>code</source>
      <translation>Code</translation>
    </message>
    <message>
      <source>contributing is paused</source>
      <translation>das Mitmachen ruht</translation>
    </message>
    <message>
      <source>every block has a spare</source>
      <translation>jeder Block hat Ersatz</translation>
    </message>
    <message>
      <source>every block is served, some by one computer only</source>
      <translation>jeder Block ist da, manche nur auf einem Computer</translation>
    </message>
    <message>
      <source>everything covered</source>
      <translation>alles abgedeckt</translation>
    </message>
    <message>
      <source>finding a way</source>
      <translation>Weg suchen</translation>
    </message>
    <message>
      <source>guest</source>
      <translation>Gast</translation>
    </message>
    <message>
      <source>household</source>
      <translation>Haushalt</translation>
    </message>
    <message>
      <source>is being answered</source>
      <translation>wird gerade beantwortet</translation>
    </message>
    <message>
      <source>it is outside the times that you set</source>
      <translation>es ist außerhalb der eingestellten Zeiten</translation>
    </message>
    <message>
      <source>joining</source>
      <translation>tritt bei</translation>
    </message>
    <message>
      <source>just now</source>
      <translation>gerade eben</translation>
    </message>
    <message>
      <source>keep running in the tray</source>
      <translation>in der Leiste weiterlaufen</translation>
    </message>
    <message>
      <source>language-code</source>
      <translation>de</translation>
    </message>
    <message>
      <source>left</source>
      <translation>gegangen</translation>
    </message>
    <message>
      <source>looking for the others …</source>
      <translation>sucht die anderen …</translation>
    </message>
    <message>
      <source>member</source>
      <translation>Mitglied</translation>
    </message>
    <message>
      <source>milliseconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>missing</source>
      <translation>fehlen</translation>
    </message>
    <message>
      <source>network {name}</source>
      <translation>Netz {name}</translation>
    </message>
    <message>
      <source>nobody</source>
      <translation>niemand</translation>
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation>niemand stellt {blocks} bereit</translation>
    </message>
    <message>
      <source>not sure</source>
      <translation>ungewiss</translation>
    </message>
    <message>
      <source>noticing</source>
      <translation>bemerken</translation>
    </message>
    <message>
      <source>on</source>
      <translation>an</translation>
    </message>
    <message>
      <source>on battery</source>
      <translation>im Akkubetrieb</translation>
    </message>
    <message>
      <source>on mains power</source>
      <translation>am Netzstrom</translation>
    </message>
    <message>
      <source>owner</source>
      <translation>Eigentümer</translation>
    </message>
    <message>
      <source>quit</source>
      <translation>beenden</translation>
    </message>
    <message>
      <source>reading the question …</source>
      <translation>liest die Frage …</translation>
    </message>
    <message>
      <source>seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation>stellt {span} mit {memory} bereit</translation>
    </message>
    <message>
      <source>somebody uses this computer</source>
      <translation>jemand benutzt diesen Computer</translation>
    </message>
    <message>
      <source>text</source>
      <translation>Text</translation>
    </message>
    <message>
      <source>the connection to {peer} broke</source>
      <translation>die Verbindung zu {peer} brach ab</translation>
    </message>
    <message>
      <source>the connection to {peer} was slow</source>
      <translation>die Verbindung zu {peer} war langsam</translation>
    </message>
    <message>
      <source>the household</source>
      <translation>der Haushalt</translation>
    </message>
    <message>
      <source>the network is paid by volume</source>
      <translation>das Netz wird nach Menge bezahlt</translation>
    </message>
    <message>
      <source>this computer alone</source>
      <translation>dieser Computer allein</translation>
    </message>
    <message>
      <source>this computer runs on battery</source>
      <translation>dieser Computer läuft im Akkubetrieb</translation>
    </message>
    <message>
      <source>tokens</source>
      <translation>Tokens</translation>
    </message>
    <message>
      <source>unreachable</source>
      <translation>nicht erreichbar</translation>
    </message>
    <message>
      <source>{model} answers on this computer.</source>
      <translation>{model} antwortet auf diesem Computer.</translation>
    </message>
    <message>
      <source>{model} is being made ready …</source>
      <translation>{model} wird vorbereitet …</translation>
    </message>
    <message>
      <source>{model}, {count} blocks</source>
      <translation>{model}, {count} Blöcke</translation>
    </message>
    <message>
      <source>{names} answer together with {model}.</source>
      <translation>{names} antworten gemeinsam mit {model}.</translation>
    </message>
    <message>
      <source>{names} asleep</source>
      <translation>{names} schläft</translation>
    </message>
    <message>
      <source>{name} can no longer use the household's model, on any computer.</source>
      <translation>{name} kann das Modell des Haushalts dann auf keinem Computer mehr benutzen.</translation>
    </message>
    <message>
      <source>{name} cannot be read: {why}.</source>
      <translation>{name} lässt sich nicht lesen: {why}.</translation>
    </message>
    <message>
      <source>{name} cannot be written: {why}.</source>
      <translation>{name} lässt sich nicht schreiben: {why}.</translation>
    </message>
    <message>
      <source>{name} does not answer any more.</source>
      <translation>{name} antwortet nicht mehr.</translation>
    </message>
    <message>
      <source>{name} is larger than {size}.</source>
      <translation>{name} ist größer als {size}.</translation>
    </message>
    <message>
      <source>{name} is not a text file.</source>
      <translation>{name} ist keine Textdatei.</translation>
    </message>
    <message>
      <source>{name} wants to join. It must show {digits}.</source>
      <translation>{name} möchte beitreten. Dort muss {digits} stehen.</translation>
    </message>
    <message>
      <source>{name} went to sleep.</source>
      <translation>{name} ist schlafen gegangen.</translation>
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation>{peer} konnte nicht weitermachen</translation>
    </message>
    <message>
      <source>{peer} paused contributing</source>
      <translation>{peer} macht gerade nicht mit</translation>
    </message>
    <message>
      <source>{peer} stopped answering</source>
      <translation>{peer} antwortete nicht mehr</translation>
    </message>
    <message>
      <source>{peer} was slow to compute</source>
      <translation>{peer} rechnete langsam</translation>
    </message>
    <message>
      <source>{peer} was stopped</source>
      <translation>{peer} wurde angehalten</translation>
    </message>
    <message>
      <source>{peer} was too slow</source>
      <translation>{peer} war zu langsam</translation>
    </message>
    <message>
      <source>{peer} went to sleep</source>
      <translation>{peer} ging schlafen</translation>
    </message>
    <message>
      <source>{rate} tokens/s</source>
      <translation>{rate} Tokens/s</translation>
    </message>
    <message>
      <source>{what}; moved to {others} in {time}</source>
      <translation>{what}; in {time} zu {others} gewechselt</translation>
    </message>
    <message>
      <source>{what}; waited {time} for it</source>
      <translation>{what}; {time} darauf gewartet</translation>
    </message>
  </context>
</TS>
