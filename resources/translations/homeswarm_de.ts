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
      <source>%n block(s)</source>
      <translation>
        <numerusform>%n Block</numerusform>
        <numerusform>%n Blöcke</numerusform>
      </translation>
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
      <source>%n conversation(s) now</source>
      <translation>
        <numerusform>%n Unterhaltung jetzt</numerusform>
        <numerusform>%n Unterhaltungen jetzt</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s)</source>
      <translation>
        <numerusform>%n Tag</numerusform>
        <numerusform>%n Tage</numerusform>
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
      <source>%n hour(s)</source>
      <translation>
        <numerusform>%n Stunde</numerusform>
        <numerusform>%n Stunden</numerusform>
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
      <source>%n millisecond(s)</source>
      <translation>
        <numerusform>%n Millisekunde</numerusform>
        <numerusform>%n Millisekunden</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s)</source>
      <translation>
        <numerusform>%n Minute</numerusform>
        <numerusform>%n Minuten</numerusform>
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
      <source>%n second(s)</source>
      <translation>
        <numerusform>%n Sekunde</numerusform>
        <numerusform>%n Sekunden</numerusform>
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
      <source>&amp;Who answers</source>
      <translation>&amp;Wer antwortet</translation>
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
      <source>A certificate does not fit. Let that computer join anew.</source>
      <translation>Ein Zertifikat passt nicht. Lass diesen Computer neu beitreten.</translation>
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
      <source>A computer is no member of this household. Let it join with an invitation.</source>
      <translation>Ein Computer gehört nicht zu diesem Haushalt. Lass ihn mit einer Einladung beitreten.</translation>
    </message>
    <message>
      <source>A computer of the household cannot be used now.</source>
      <translation>Ein Computer des Haushalts ist gerade nicht nutzbar.</translation>
    </message>
    <message>
      <source>A computer refused its part of the work.</source>
      <translation>Ein Computer hat seinen Teil der Arbeit abgelehnt.</translation>
    </message>
    <message>
      <source>A computer shows the certificate of another one.</source>
      <translation>Ein Computer zeigt das Zertifikat eines anderen.</translation>
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation>Ein Computer hat mittendrin aufgehört zu antworten. Frag noch einmal: Dann wird ein anderer Weg genommen.</translation>
    </message>
    <message>
      <source>A file cannot be read or written.</source>
      <translation>Eine Datei kann nicht gelesen oder geschrieben werden.</translation>
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation>Eine Datei des Modells ist beschädigt. Importiere es noch einmal.</translation>
    </message>
    <message>
      <source>A list of members was signed by a computer that had been removed.</source>
      <translation>Eine Mitgliederliste wurde von einem entfernten Computer unterschrieben.</translation>
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation>Eine Nachricht nimmt höchstens {count} Dateien.</translation>
    </message>
    <message>
      <source>A model</source>
      <translation>Ein Modell</translation>
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation>Mit diesem Profil läuft schon ein Knoten.</translation>
    </message>
    <message>
      <source>A part of Homeswarm has no membership yet. Try again in a moment.</source>
      <translation>Ein Teil von Homeswarm hat noch keine Mitgliedschaft. Versuch es gleich noch einmal.</translation>
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation>Ein Teil von Homeswarm läuft nicht. Die Haushaltsseite sagt, was geschehen ist.</translation>
    </message>
    <message>
      <source>A picture of the QR code</source>
      <translation>Ein Bild des QR-Codes</translation>
    </message>
    <message>
      <source>A second computer keeps up</source>
      <translation>Ein zweiter Computer hält mit</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation>Adresse, unter der andere Computer diesen erreichen.</translation>
    </message>
    <message>
      <source>Address to listen at</source>
      <translation>Adresse für andere</translation>
    </message>
    <message>
      <source>Addresses to join by</source>
      <translation>Adressen zum Beitreten</translation>
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
      <source>An owner or admin can invite this computer again.</source>
      <translation>Ein Eigentümer oder Verwalter kann diesen Computer wieder einladen.</translation>
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
      <source>Another program uses a port that Homeswarm was to have.</source>
      <translation>Ein anderes Programm benutzt einen Port, den Homeswarm haben sollte.</translation>
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
      <source>Approve this computer on {name}, where it must show {digits}. Waiting for that …</source>
      <translation>Lass diesen Computer auf {name} zu; dort muss {digits} stehen. Warte darauf …</translation>
    </message>
    <message>
      <source>Ask again; if it happens again, import the model anew.</source>
      <translation>Frag noch einmal; passiert es wieder, importiere das Modell neu.</translation>
    </message>
    <message>
      <source>Ask for a new link.</source>
      <translation>Bitte um einen neuen Link.</translation>
    </message>
    <message>
      <source>Ask something …</source>
      <translation>Frag etwas …</translation>
    </message>
    <message>
      <source>Ask {name} to let this computer in</source>
      <translation>{name} um Einlass bitten</translation>
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
      <source>Between two tokens, 19 times of 20 at most</source>
      <translation>Zwischen zwei Token, in 19 von 20 Fällen höchstens</translation>
    </message>
    <message>
      <source>Between two tokens, usually</source>
      <translation>Zwischen zwei Token, meistens</translation>
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
      <source>Blocks to serve</source>
      <translation>Blöcke zum Bereitstellen</translation>
    </message>
    <message>
      <source>By an invitation, its QR code, or by asking a computer nearby.</source>
      <translation>Mit einer Einladung, ihrem QR-Code oder durch Fragen in der Nähe.</translation>
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
      <source>Changes of the household hold only until Homeswarm stops: they cannot be written. Free some space.</source>
      <translation>Änderungen am Haushalt gelten nur, bis Homeswarm endet: Sie lassen sich nicht speichern. Schaffe etwas Platz.</translation>
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
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Close other programs, or choose a smaller model in the settings.</source>
      <translation>Schließ andere Programme oder wähle in den Einstellungen ein kleineres Modell.</translation>
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
      <source>Compute threads of each child process at most; it takes as many as gain. 0: one for each core.</source>
      <translation>Höchstens so viele Rechenfäden je Prozess; er nimmt, was etwas bringt. 0: einer je Kern.</translation>
    </message>
    <message>
      <source>Computers</source>
      <translation>Computer</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>Verbindung</translation>
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
      <source>Contributing is paused on this computer.</source>
      <translation>Das Beitragen ist auf diesem Computer angehalten.</translation>
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
      <source>Delete the model {name} from this computer?</source>
      <translation>Das Modell {name} von diesem Computer löschen?</translation>
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
      <source>File …</source>
      <translation>Datei …</translation>
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation>Dateien des Modells fehlen oder sind unvollständig. Importiere es noch einmal.</translation>
    </message>
    <message>
      <source>Folder of local models</source>
      <translation>Ordner der lokalen Modelle</translation>
    </message>
    <message>
      <source>Folder of models</source>
      <translation>Ordner der Modelle</translation>
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation>Der Ordner der lokalen Modelle.</translation>
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation>Ordner des Modellspeichers.</translation>
    </message>
    <message>
      <source>Folder, GGUF file, or owner/name to download</source>
      <translation>Ordner, GGUF-Datei oder besitzer/name zum Herunterladen</translation>
    </message>
    <message>
      <source>For an open swarm: an address of a computer in it, to join by; give several for safety. None founds one. A private swarm is joined by a link.</source>
      <translation>Für einen offenen Schwarm: die Adresse eines Computers darin, über den beigetreten wird; zur Sicherheit mehrere. Ohne eine wird einer gegründet. Einem privaten tritt man mit einem Link bei.</translation>
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation>Zum Beispiel: Du bist ein geduldiger Lehrer. Antworte kurz.</translation>
    </message>
    <message>
      <source>For the household</source>
      <translation>Für den Haushalt</translation>
    </message>
    <message>
      <source>For this computer alone, when the household cannot answer</source>
      <translation>Für diesen Computer allein, wenn der Haushalt nicht antworten kann</translation>
    </message>
    <message>
      <source>Getting ready …</source>
      <translation>Wird vorbereitet …</translation>
    </message>
    <message>
      <source>Give memory back after a pause of</source>
      <translation>Speicher freigeben nach einer Pause von</translation>
    </message>
    <message>
      <source>Give the local model's memory back after</source>
      <translation>Speicher des lokalen Modells freigeben nach</translation>
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
      <translation>Ein zweiter Computer hält bei jeder deiner Antworten mit, damit ein Ausfall kein Nachholen kostet. Deine Antworten brauchen dann doppelt so viel Speicher und Arbeit des Haushalts; homeswarm status zeigt den Preis an Speicher vor dem Einschalten.</translation>
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
      <source>Homeswarm is open already and does not answer. End it, then start it again.</source>
      <translation>Homeswarm ist schon geöffnet und antwortet nicht. Beende es und starte es dann neu.</translation>
    </message>
    <message>
      <source>Homeswarm's node has ended.</source>
      <translation>Der Knoten von Homeswarm ist zu Ende.</translation>
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation>Der Knoten von Homeswarm läuft auf diesem Computer nicht.</translation>
    </message>
    <message>
      <source>Homeswarm's own command could not be started.</source>
      <translation>Der eigene Befehl von Homeswarm konnte nicht gestartet werden.</translation>
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
      <translation>Wie bald ein stummer Computer aufgegeben wird: in einer Wohnung nach etwa einer Sekunde; über das Internet nach etwa drei, für Leitungen, die Pakete verlieren; die dritte Wahl ist für Tests auf einem Computer.</translation>
    </message>
    <message>
      <source>How this answer came about</source>
      <translation>Wie diese Antwort entstand</translation>
    </message>
    <message>
      <source>Import</source>
      <translation>Importieren</translation>
    </message>
    <message>
      <source>Import the same model on both computers.</source>
      <translation>Importiere auf beiden Computern dasselbe Modell.</translation>
    </message>
    <message>
      <source>In no household</source>
      <translation>In keinem Haushalt</translation>
    </message>
    <message>
      <source>In this profile's folder, readable by you alone.</source>
      <translation>Im Ordner dieses Profils, nur für dich lesbar.</translation>
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
      <source>Invitation links could not be registered. They can still be pasted.</source>
      <translation>Einladungslinks konnten nicht angemeldet werden. Einfügen geht trotzdem.</translation>
    </message>
    <message>
      <source>Invite a computer</source>
      <translation>Einen Computer einladen</translation>
    </message>
    <message>
      <source>It is being started again.</source>
      <translation>Er wird wieder gestartet.</translation>
    </message>
    <message>
      <source>Join</source>
      <translation>Beitreten</translation>
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
      <source>Keep running</source>
      <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
      <source>Keep the keys in a file</source>
      <translation>Schlüssel in einer Datei aufbewahren</translation>
    </message>
    <message>
      <source>Keep the local model in memory</source>
      <translation>Lokales Modell im Speicher halten</translation>
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation>Diesen Computer nicht aus Untätigkeit einschlafen lassen, während er an einer Antwort arbeitet, eigener oder fremder; das Schließen des Deckels gilt weiter.</translation>
    </message>
    <message>
      <source>Keep waiting</source>
      <translation>Weiter warten</translation>
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
      <source>Leave it first, on the household page.</source>
      <translation>Verlass ihn zuerst, auf der Haushaltsseite.</translation>
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
      <source>Let that computer join anew with an invitation.</source>
      <translation>Lass diesen Computer mit einer Einladung neu beitreten.</translation>
    </message>
    <message>
      <source>Let this computer answer</source>
      <translation>Diesen Computer antworten lassen</translation>
    </message>
    <message>
      <source>Link</source>
      <translation>Link</translation>
    </message>
    <message>
      <source>Local API</source>
      <translation>Lokale Schnittstelle</translation>
    </message>
    <message>
      <source>Local model</source>
      <translation>Lokales Modell</translation>
    </message>
    <message>
      <source>Longest conversation</source>
      <translation>Längste Unterhaltung</translation>
    </message>
    <message>
      <source>Longest conversation of your own, question and answer together.</source>
      <translation>Dein längstes Gespräch, Frage und Antwort zusammen.</translation>
    </message>
    <message>
      <source>Looking for households in this network …</source>
      <translation>Suche Haushalte in diesem Netz …</translation>
    </message>
    <message>
      <source>Make a new token</source>
      <translation>Neues Token erzeugen</translation>
    </message>
    <message>
      <source>Make somebody else an owner first.</source>
      <translation>Mach zuerst jemand anderen zum Eigentümer.</translation>
    </message>
    <message>
      <source>Members</source>
      <translation>Mitglieder</translation>
    </message>
    <message>
      <source>Memory for conversations</source>
      <translation>Speicher für Unterhaltungen</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Model to import</source>
      <translation>Zu importierendes Modell</translation>
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
      <translation>In der Nähe</translation>
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
      <source>New token</source>
      <translation>Neues Token</translation>
    </message>
    <message>
      <source>New token …</source>
      <translation>Neues Token …</translation>
    </message>
    <message>
      <source>No answer has been given yet.</source>
      <translation>Es wurde noch keine Antwort gegeben.</translation>
    </message>
    <message>
      <source>No household in this network can be asked at the moment.</source>
      <translation>Kein Haushalt in diesem Netz kann gerade gefragt werden.</translation>
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
      <source>Nobody serves {blocks} now.</source>
      <translation>Niemand stellt {blocks} bereit.</translation>
    </message>
    <message>
      <source>Nobody who answers has made this invitation.</source>
      <translation>Niemand, der antwortet, hat diese Einladung gemacht.</translation>
    </message>
    <message>
      <source>None of the computers in the invitation answers. Switch one on, or ask for a fresh link.</source>
      <translation>Keiner der Computer in der Einladung antwortet. Schalte einen ein oder bitte um einen frischen Link.</translation>
    </message>
    <message>
      <source>None yet.</source>
      <translation>Noch keines.</translation>
    </message>
    <message>
      <source>Nothing found.</source>
      <translation>Nichts gefunden.</translation>
    </message>
    <message>
      <source>On a metered network</source>
      <translation>In einem Netz mit Volumentarif</translation>
    </message>
    <message>
      <source>On battery</source>
      <translation>Im Akkubetrieb</translation>
    </message>
    <message>
      <source>One moment</source>
      <translation>Einen Augenblick</translation>
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
      <source>Open swarm</source>
      <translation>Offener Schwarm</translation>
    </message>
    <message>
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation>Andere Programme auf diesem Computer können das Modell darüber benutzen, wie über die von OpenAI.</translation>
    </message>
    <message>
      <source>Paste the link that you were sent, or open or paste a picture of its QR code.</source>
      <translation>Füge den Link ein, den du bekommen hast, oder ein Bild seines QR-Codes, oder öffne eines.</translation>
    </message>
    <message>
      <source>Pasted text</source>
      <translation>Eingefügter Text</translation>
    </message>
    <message>
      <source>Patience</source>
      <translation>Geduld</translation>
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
      <source>Picture …</source>
      <translation>Bild …</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>Bilder</translation>
    </message>
    <message>
      <source>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</source>
      <translation>Der Port, an dem andere Computer um Einlass bitten; 0 behält den bisherigen, anfangs einen freien.</translation>
    </message>
    <message>
      <source>Port for other computers</source>
      <translation>Port für andere Computer</translation>
    </message>
    <message>
      <source>Port of the door</source>
      <translation>Port der Tür</translation>
    </message>
    <message>
      <source>Port of the local API</source>
      <translation>Port der lokalen API</translation>
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
      <source>Power</source>
      <translation>Strom</translation>
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation>Das Modell wird vorbereitet …</translation>
    </message>
    <message>
      <source>Programs that use the present token are refused until they have the new one.</source>
      <translation>Programme mit dem jetzigen Token werden abgewiesen, bis sie das neue haben.</translation>
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
      <source>Read the QR code of an invitation from a picture</source>
      <translation>Den QR-Code einer Einladung aus einem Bild lesen</translation>
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
      <source>Remove a model</source>
      <translation>Ein Modell entfernen</translation>
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
      <translation>Einen offenen Schwarm betreiben: ohne Einladungen und Zertifikate; wer ihn erreicht, ist drin. Zum Ausprobieren auf diesem Computer allein.</translation>
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
      <source>Search</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <source>Search all chats</source>
      <translation>Alle Chats durchsuchen</translation>
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
      <source>Show up nearby</source>
      <translation>In der Nähe sichtbar sein</translation>
    </message>
    <message>
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation>Stille des Haushalts in einer Antwort, nach der das lokale Modell übernimmt.</translation>
    </message>
    <message>
      <source>Silence until the local model takes over</source>
      <translation>Stille bis zur Übernahme durch das lokale Modell</translation>
    </message>
    <message>
      <source>Slowest speed</source>
      <translation>Kleinste Geschwindigkeit</translation>
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
      <source>Something could not be saved</source>
      <translation>Etwas ließ sich nicht speichern</translation>
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation>Im Knoten ist etwas schiefgegangen. Einzelheiten stehen in seinem Protokoll.</translation>
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
      <source>Start it again: it goes on where it stopped.</source>
      <translation>Starte ihn noch einmal: er geht dort weiter, wo er aufgehört hat.</translation>
    </message>
    <message>
      <source>Start or join one on the household page.</source>
      <translation>Gründe einen auf der Haushaltsseite oder tritt einem bei.</translation>
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
      <source>Stay awake while answering</source>
      <translation>Beim Antworten wach bleiben</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>Antwort anhalten</translation>
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation>Melden, wenn ein Computer schlafen geht oder verloren geht</translation>
    </message>
    <message>
      <source>That did not work</source>
      <translation>Das hat nicht geklappt</translation>
    </message>
    <message>
      <source>That has been decided meanwhile.</source>
      <translation>Das ist inzwischen entschieden.</translation>
    </message>
    <message numerus="yes">
      <source>The %n oldest message(s) no longer fitted and were left out.</source>
      <translation>
        <numerusform>Die älteste Nachricht passte nicht mehr und wurde weggelassen (%n).</numerusform>
        <numerusform>Die %n ältesten Nachrichten passten nicht mehr und wurden weggelassen.</numerusform>
      </translation>
    </message>
    <message>
      <source>The answer being given comes from this computer alone.</source>
      <translation>Die laufende Antwort kommt nur von diesem Computer.</translation>
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
      <source>The computers have different versions of Homeswarm. Update the older one.</source>
      <translation>Die Computer haben verschiedene Versionen von Homeswarm. Aktualisiere die ältere.</translation>
    </message>
    <message>
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation>Die Computer deines Haushalts betreiben gemeinsam ein Sprachmodell. Nichts verlässt dein Zuhause.</translation>
    </message>
    <message>
      <source>The connection to the household could not be started. Try again.</source>
      <translation>Die Verbindung zum Haushalt kam nicht zustande. Versuch es noch einmal.</translation>
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
      <source>The file with the chats was damaged. It lies beside the new one in the profile's folder.</source>
      <translation>Die Datei mit den Chats war beschädigt. Sie liegt neben der neuen im Ordner des Profils.</translation>
    </message>
    <message>
      <source>The file with the membership is damaged. Leave the household, join anew.</source>
      <translation>Die Datei mit der Mitgliedschaft ist beschädigt. Verlass den Haushalt und tritt neu bei.</translation>
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
      <source>The household cannot answer ({why}). {model} on this computer could.</source>
      <translation>Der Haushalt kann nicht antworten ({why}). {model} auf diesem Computer könnte es.</translation>
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation>Der Haushalt kann nicht antworten, bis sie zurück sind.</translation>
    </message>
    <message>
      <source>The household cannot answer; the model of this computer could.</source>
      <translation>Der Haushalt kann nicht antworten; das Modell dieses Computers könnte es.</translation>
    </message>
    <message>
      <source>The household cannot go on ({why}). {model} on this computer could.</source>
      <translation>Der Haushalt kann nicht weitermachen ({why}). {model} auf diesem Computer könnte es.</translation>
    </message>
    <message>
      <source>The household has a new key. Switch on the computer of an owner or admin.</source>
      <translation>Der Haushalt hat einen neuen Schlüssel. Schalte den Computer eines Eigentümers oder Verwalters ein.</translation>
    </message>
    <message>
      <source>The household page says what happened.</source>
      <translation>Die Haushaltsseite sagt, was geschehen ist.</translation>
    </message>
    <message>
      <source>The keyring cannot be used. Unlock it and try again, or allow a file that only you can read.</source>
      <translation>Der Schlüsselbund ist nicht nutzbar. Entsperre ihn und versuch es noch einmal, oder erlaube eine Datei, die nur du lesen kannst.</translation>
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation>Der Schlüsselbund ist gesperrt, darum kann dieser Computer sich nicht ausweisen. Entsperre ihn.</translation>
    </message>
    <message>
      <source>The keys of the household that this computer has left could not be deleted from the keyring.</source>
      <translation>Die Schlüssel des Haushalts, den dieser Computer verlassen hat, ließen sich nicht aus dem Schlüsselbund löschen.</translation>
    </message>
    <message>
      <source>The last owner cannot go. Make somebody else an owner first.</source>
      <translation>Der letzte Eigentümer kann nicht gehen. Mach zuerst jemand anderen zum Eigentümer.</translation>
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation>Die letzte Antwort ging über {names}.</translation>
    </message>
    <message>
      <source>The membership has run out. Switch on the computer of an owner or admin to renew it.</source>
      <translation>Die Mitgliedschaft ist abgelaufen. Schalte den Computer eines Eigentümers oder Verwalters ein, um sie zu erneuern.</translation>
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation>Die Mitgliedschaft wird geprüft …</translation>
    </message>
    <message>
      <source>The message is too long to be sent.</source>
      <translation>Die Nachricht ist zu lang.</translation>
    </message>
    <message>
      <source>The model does not fit into the free memory.</source>
      <translation>Das Modell passt nicht in den freien Speicher.</translation>
    </message>
    <message>
      <source>The model gave nonsense numbers. Ask again, or import it anew.</source>
      <translation>Das Modell gab unsinnige Zahlen. Frag noch einmal oder importiere es neu.</translation>
    </message>
    <message>
      <source>The model of this computer failed. Ask again.</source>
      <translation>Das Modell dieses Computers ist gescheitert. Frag noch einmal.</translation>
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation>Das Modell auf diesem Computer, das antwortet, wenn der Haushalt es nicht kann.</translation>
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation>Das Modell, nach Name oder Kennung im Speicher (siehe `homeswarm model list`).</translation>
    </message>
    <message>
      <source>The model's words do not fit its weights. Import it again.</source>
      <translation>Die Wörter des Modells passen nicht zu seinen Gewichten. Importiere es neu.</translation>
    </message>
    <message>
      <source>The node does not know what was asked for.</source>
      <translation>Der Knoten kennt nicht, was verlangt wurde.</translation>
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
      <source>The node refused this.</source>
      <translation>Der Knoten hat das abgelehnt.</translation>
    </message>
    <message>
      <source>The node said something that this window does not understand.</source>
      <translation>Der Knoten hat etwas gesagt, das dieses Fenster nicht versteht.</translation>
    </message>
    <message>
      <source>The old token is refused from now on.</source>
      <translation>Das alte Token wird ab jetzt abgewiesen.</translation>
    </message>
    <message>
      <source>The other computer could not prove itself. Try again.</source>
      <translation>Der andere Computer konnte sich nicht ausweisen. Versuch es noch einmal.</translation>
    </message>
    <message>
      <source>The other computer refused.</source>
      <translation>Der andere Computer hat abgelehnt.</translation>
    </message>
    <message>
      <source>The other computer speaks another version of Homeswarm.</source>
      <translation>Der andere Computer spricht eine andere Version von Homeswarm.</translation>
    </message>
    <message>
      <source>The request makes no sense to the node.</source>
      <translation>Die Anfrage ergibt für den Knoten keinen Sinn.</translation>
    </message>
    <message>
      <source>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</source>
      <translation>Dasselbe, solange ein Programm den Bildschirm füllt: ein Spiel, ein Film, ein Vortrag. Voreingestellt ist anhalten, denn ein Ruckeln fällt dort sofort auf.</translation>
    </message>
    <message>
      <source>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</source>
      <translation>Dasselbe, solange das benutzte Netz nach Menge bezahlt wird, wie das eines Telefons. Voreingestellt ist anhalten, denn jedes Stück einer Antwort geht hindurch.</translation>
    </message>
    <message>
      <source>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</source>
      <translation>Dasselbe, solange dieser Computer im Akkubetrieb läuft. Voreingestellt ist anhalten, denn die Antworten der anderen würden den Akku leeren; die eigenen Chats gehen weiter.</translation>
    </message>
    <message>
      <source>The settings list the models of this computer.</source>
      <translation>Die Einstellungen zeigen die Modelle dieses Computers.</translation>
    </message>
    <message>
      <source>The start at login could not be changed.</source>
      <translation>Der Start beim Anmelden konnte nicht geändert werden.</translation>
    </message>
    <message>
      <source>The system does not let Homeswarm delay its sleep.</source>
      <translation>Das System lässt Homeswarm den Schlaf nicht aufschieben.</translation>
    </message>
    <message>
      <source>The token is in the clipboard.</source>
      <translation>Das Token ist in der Zwischenablage.</translation>
    </message>
    <message>
      <source>The two computers have different models. Import the same one on both.</source>
      <translation>Die beiden Computer haben verschiedene Modelle. Importiere auf beiden dasselbe.</translation>
    </message>
    <message>
      <source>There is no display that a window could open on.</source>
      <translation>Es gibt keinen Bildschirm für ein Fenster.</translation>
    </message>
    <message>
      <source>There is no invitation's QR code in this picture.</source>
      <translation>In diesem Bild ist kein QR-Code einer Einladung.</translation>
    </message>
    <message>
      <source>They said no.</source>
      <translation>Es wurde abgelehnt.</translation>
    </message>
    <message>
      <source>This app</source>
      <translation>Diese App</translation>
    </message>
    <message>
      <source>This belongs to another household.</source>
      <translation>Das gehört zu einem anderen Haushalt.</translation>
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
      <source>This computer is in a household already. Leave it first.</source>
      <translation>Dieser Computer ist schon in einem Haushalt. Verlass ihn zuerst.</translation>
    </message>
    <message>
      <source>This computer is in no household any more.</source>
      <translation>Dieser Computer ist in keinem Haushalt mehr.</translation>
    </message>
    <message>
      <source>This computer is in no household yet.</source>
      <translation>Dieser Computer ist noch in keinem Haushalt.</translation>
    </message>
    <message>
      <source>This computer is in no household yet; {model} answers alone.</source>
      <translation>Dieser Computer ist noch in keinem Haushalt; {model} antwortet allein.</translation>
    </message>
    <message>
      <source>This computer may sleep without a word. Answers that run through it then pause for a second.</source>
      <translation>Dieser Computer schläft vielleicht ohne ein Wort ein. Antworten über ihn stocken dann eine Sekunde.</translation>
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
      <source>This computer was removed from the household. An owner can invite it again.</source>
      <translation>Dieser Computer wurde aus dem Haushalt entfernt. Ein Eigentümer kann ihn wieder einladen.</translation>
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
      <source>This invitation has run out.</source>
      <translation>Diese Einladung ist abgelaufen.</translation>
    </message>
    <message>
      <source>This invitation is used by too many computers at once.</source>
      <translation>Diese Einladung wird von zu vielen Computern zugleich benutzt.</translation>
    </message>
    <message>
      <source>This invitation was cancelled.</source>
      <translation>Diese Einladung wurde zurückgezogen.</translation>
    </message>
    <message>
      <source>This invitation was used already.</source>
      <translation>Diese Einladung wurde schon benutzt.</translation>
    </message>
    <message>
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation>Das ist ein offener Schwarm auf diesem Computer, ohne Mitglieder und Einladungen.</translation>
    </message>
    <message>
      <source>This is no whole invitation. Copy all of the link again.</source>
      <translation>Das ist keine vollständige Einladung. Kopiere den ganzen Link noch einmal.</translation>
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
      <source>Times to contribute</source>
      <translation>Zeiten zum Beitragen</translation>
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
      <source>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</source>
      <translation>Tokens pro Sekunde: wo der Haushalt langsamer ist, antwortet das lokale Modell. 0 heißt nie zu langsam.</translation>
    </message>
    <message>
      <source>Too many computers ask at once. Try again in a moment.</source>
      <translation>Zu viele Computer fragen zugleich. Versuch es gleich noch einmal.</translation>
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
      <source>Two computers' clocks are too far apart. Turn on automatic time on both.</source>
      <translation>Die Uhren zweier Computer gehen zu weit auseinander. Schalte auf beiden die automatische Zeit ein.</translation>
    </message>
    <message>
      <source>Unlock or install one and try again, or allow a file that only you can read.</source>
      <translation>Entsperre oder installiere einen und versuch es noch einmal, oder erlaube eine Datei, die nur du lesen kannst.</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>Verwenden</translation>
    </message>
    <message>
      <source>Use {name}</source>
      <translation>{name} verwenden</translation>
    </message>
    <message>
      <source>Wake or start {names}.</source>
      <translation>Wecke oder starte {names}.</translation>
    </message>
    <message>
      <source>Welcome to Homeswarm</source>
      <translation>Willkommen bei Homeswarm</translation>
    </message>
    <message>
      <source>What changed lately</source>
      <translation>Was sich zuletzt geändert hat</translation>
    </message>
    <message>
      <source>What happens to contributing while somebody uses this computer, and for five minutes after: gentle lets their programs go first and still answers the household; pause serves nobody else meanwhile; ignore makes no difference. Gentle by default, because most use leaves a processor idle.</source>
      <translation>Was mit dem Mitmachen geschieht, solange jemand diesen Computer benutzt, und fünf Minuten danach: behutsam lässt den anderen Programmen den Vortritt und antwortet dem Haushalt weiter; anhalten dient in der Zeit sonst niemandem. Voreingestellt ist behutsam, denn die meiste Zeit bleibt dabei ein Prozessor frei.</translation>
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation>Was das Modell auf einmal im Kopf behalten kann. Ist es voll, werden die ältesten Nachrichten weggelassen.</translation>
    </message>
    <message>
      <source>What the model is for</source>
      <translation>Wofür das Modell ist</translation>
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
      <translation>Was deine Antworten bei einem Computer tun, der zu spät ist, aber lebt: auf ihn warten; daneben einen anderen fragen und nehmen, wer zuerst fertig ist; oder wechseln, sobald das Warten so viel gekostet hat wie der Wechsel. Daneben zu fragen kostet die anderen ein wenig Arbeit, und dich nichts, wenn die Vermutung falsch war.</translation>
    </message>
    <message>
      <source>When a computer is late</source>
      <translation>Wenn ein Computer zu spät ist</translation>
    </message>
    <message>
      <source>When the household &amp;cannot</source>
      <translation>Wenn der &amp;Haushalt nicht kann</translation>
    </message>
    <message>
      <source>When the household cannot answer</source>
      <translation>Wenn der Haushalt nicht antworten kann</translation>
    </message>
    <message>
      <source>When the household cannot answer in time: auto lets the local model begin or go on, and says so; ask leaves it to you; never waits for the household alone.</source>
      <translation>Wenn der Haushalt nicht rechtzeitig antworten kann: automatisch lässt das lokale Modell beginnen oder weitermachen und sagt es; fragen überlässt es dir; nie wartet nur auf den Haushalt.</translation>
    </message>
    <message>
      <source>When the local model is in memory: auto while you chat and the household has no spare computer, one is in doubt, or it answers; always, all the time.</source>
      <translation>Wann das lokale Modell im Speicher ist: automatisch, solange du chattest und der Haushalt keinen Ersatz hat, ein Computer fraglich ist oder es antwortet; immer heißt die ganze Zeit.</translation>
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
      <source>Where the keys are kept</source>
      <translation>Wo die Schlüssel liegen</translation>
    </message>
    <message>
      <source>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</source>
      <translation>Wo die Schlüssel dieses Computers liegen: im Schlüsselbund des Systems oder in einer Datei im Profil, die nur du lesen kannst.</translation>
    </message>
    <message>
      <source>Whether an owner's or admin's computer tells the network that a household is here which one can ask to join, and a computer in no swarm looks for one.</source>
      <translation>Ob der Computer eines Eigentümers oder Verwalters im Netz bekannt gibt, dass hier ein Haushalt ist, den man um Einlass bitten kann, und ob ein Computer ohne Schwarm danach sucht.</translation>
    </message>
    <message>
      <source>Whether somebody uses this computer cannot be known here.</source>
      <translation>Ob jemand diesen Computer benutzt, lässt sich hier nicht erkennen.</translation>
    </message>
    <message>
      <source>While a program fills the screen</source>
      <translation>Während ein Programm den Bildschirm füllt</translation>
    </message>
    <message>
      <source>While somebody uses this computer</source>
      <translation>Während jemand diesen Computer benutzt</translation>
    </message>
    <message>
      <source>Who answered</source>
      <translation>Wer geantwortet hat</translation>
    </message>
    <message>
      <source>Who answers</source>
      <translation>Wer antwortet</translation>
    </message>
    <message>
      <source>Who answers unless a chat or a request says otherwise: the household, or the local model.</source>
      <translation>Wer antwortet, wenn ein Chat oder eine Anfrage nichts anderes sagt: der Haushalt oder das lokale Modell.</translation>
    </message>
    <message>
      <source>Who went on</source>
      <translation>Wer weitermachte</translation>
    </message>
    <message>
      <source>Without a chat for this long, the memory of the local model is given back.</source>
      <translation>Nach so langer Zeit ohne Chat wird der Speicher des lokalen Modells freigegeben.</translation>
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
      <source>You may not do this. Ask an owner or admin of the household.</source>
      <translation>Das darfst du nicht. Frag einen Eigentümer oder Verwalter des Haushalts.</translation>
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
      <source>Your choice about contributing holds only until Homeswarm stops: it cannot be written. Free some space.</source>
      <translation>Deine Wahl zum Beitragen gilt nur, bis Homeswarm endet: Sie lässt sich nicht speichern. Schaffe etwas Platz.</translation>
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
      <source>a part of Homeswarm is not running</source>
      <translation>ein Teil von Homeswarm läuft nicht</translation>
    </message>
    <message>
      <source>a program fills the screen</source>
      <translation>ein Programm füllt den Bildschirm</translation>
    </message>
    <message>
      <source>about {memory} of memory</source>
      <translation>etwa {memory} Speicher</translation>
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
    <message numerus="yes">
      <source>after %n token(s)</source>
      <translation>
        <numerusform>nach %n Token</numerusform>
        <numerusform>nach %n Tokens</numerusform>
      </translation>
    </message>
    <message>
      <source>always</source>
      <translation>immer</translation>
    </message>
    <message numerus="yes">
      <source>and %n more pause(s)</source>
      <translation>
        <numerusform>und %n weitere Pause</numerusform>
        <numerusform>und %n weitere Pausen</numerusform>
      </translation>
    </message>
    <message>
      <source>announces blocks that the model does not have</source>
      <translation>meldet Blöcke, die das Modell nicht hat</translation>
    </message>
    <message>
      <source>announces itself, but does not answer this computer</source>
      <translation>meldet sich, antwortet diesem Computer aber nicht</translation>
    </message>
    <message>
      <source>another computer has the same identity</source>
      <translation>ein anderer Computer hat dieselbe Identität</translation>
    </message>
    <message>
      <source>answering …</source>
      <translation>antwortet …</translation>
    </message>
    <message>
      <source>answers other computers, but not this one</source>
      <translation>antwortet anderen Computern, diesem aber nicht</translation>
    </message>
    <message>
      <source>as in the settings</source>
      <translation>wie in den Einstellungen</translation>
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
      <source>as you asked</source>
      <translation>wie du wolltest</translation>
    </message>
    <message>
      <source>ask</source>
      <translation>fragen</translation>
    </message>
    <message>
      <source>ask another one beside it</source>
      <translation>daneben einen anderen fragen</translation>
    </message>
    <message>
      <source>ask me</source>
      <translation>mich fragen</translation>
    </message>
    <message>
      <source>asleep</source>
      <translation>schläft</translation>
    </message>
    <message>
      <source>automatic</source>
      <translation>automatisch</translation>
    </message>
    <message>
      <source>available</source>
      <translation>verfügbar</translation>
    </message>
    <message>
      <source>battery</source>
      <translation>Akku</translation>
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
      <source>broke off the connection</source>
      <translation>hat die Verbindung abgebrochen</translation>
    </message>
    <message>
      <source>cannot be reached</source>
      <translation>ist nicht zu erreichen</translation>
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
      <source>did not answer for {time}</source>
      <translation>hat {time} lang nicht geantwortet</translation>
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
      <source>for tests</source>
      <translation>für Tests</translation>
    </message>
    <message>
      <source>for the household</source>
      <translation>für den Haushalt</translation>
    </message>
    <message>
      <source>for this computer</source>
      <translation>für diesen Computer</translation>
    </message>
    <message>
      <source>gives the others more time ({why})</source>
      <translation>gibt den anderen mehr Zeit ({why})</translation>
    </message>
    <message>
      <source>go gently</source>
      <translation>behutsam</translation>
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
      <source>in a file</source>
      <translation>in einer Datei</translation>
    </message>
    <message>
      <source>in one home</source>
      <translation>in einer Wohnung</translation>
    </message>
    <message>
      <source>in the keyring</source>
      <translation>im Schlüsselbund</translation>
    </message>
    <message>
      <source>in use</source>
      <translation>in Gebrauch</translation>
    </message>
    <message>
      <source>is being answered</source>
      <translation>wird gerade beantwortet</translation>
    </message>
    <message>
      <source>it has no model to share</source>
      <translation>er hat kein Modell zu teilen</translation>
    </message>
    <message>
      <source>it is about to sleep</source>
      <translation>er geht gleich schlafen</translation>
    </message>
    <message>
      <source>it is being stopped</source>
      <translation>er wird gerade beendet</translation>
    </message>
    <message>
      <source>it is in no household</source>
      <translation>er ist in keinem Haushalt</translation>
    </message>
    <message>
      <source>it is outside the times that you set</source>
      <translation>es ist außerhalb der eingestellten Zeiten</translation>
    </message>
    <message>
      <source>it is still looking for the others</source>
      <translation>er sucht die anderen noch</translation>
    </message>
    <message>
      <source>it is still starting</source>
      <translation>er startet noch</translation>
    </message>
    <message>
      <source>it is very busy</source>
      <translation>er ist sehr beschäftigt</translation>
    </message>
    <message>
      <source>it just changed its network</source>
      <translation>er hat gerade das Netz gewechselt</translation>
    </message>
    <message>
      <source>it just woke up</source>
      <translation>er ist gerade aufgewacht</translation>
    </message>
    <message>
      <source>it was removed from its household</source>
      <translation>er wurde aus seinem Haushalt entfernt</translation>
    </message>
    <message>
      <source>its keys cannot be read now</source>
      <translation>seine Schlüssel sind gerade nicht lesbar</translation>
    </message>
    <message>
      <source>its membership is being checked</source>
      <translation>seine Mitgliedschaft wird geprüft</translation>
    </message>
    <message>
      <source>its own blocks are being loaded</source>
      <translation>seine eigenen Blöcke werden geladen</translation>
    </message>
    <message>
      <source>its own blocks are paused</source>
      <translation>seine eigenen Blöcke machen Pause</translation>
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
      <source>less than an hour left</source>
      <translation>weniger als eine Stunde übrig</translation>
    </message>
    <message>
      <source>let this computer answer</source>
      <translation>diesen Computer antworten lassen</translation>
    </message>
    <message>
      <source>looking for the others …</source>
      <translation>sucht die anderen …</translation>
    </message>
    <message>
      <source>mains</source>
      <translation>Netz</translation>
    </message>
    <message>
      <source>member</source>
      <translation>Mitglied</translation>
    </message>
    <message>
      <source>missing</source>
      <translation>fehlen</translation>
    </message>
    <message>
      <source>move away from it</source>
      <translation>von ihm weg wechseln</translation>
    </message>
    <message>
      <source>moved to another address</source>
      <translation>ist zu einer anderen Adresse gewechselt</translation>
    </message>
    <message>
      <source>network {name}</source>
      <translation>Netz {name}</translation>
    </message>
    <message>
      <source>never</source>
      <translation>nie</translation>
    </message>
    <message>
      <source>no</source>
      <translation>nein</translation>
    </message>
    <message>
      <source>no difference</source>
      <translation>kein Unterschied</translation>
    </message>
    <message>
      <source>no other computer is there</source>
      <translation>kein anderer Computer ist da</translation>
    </message>
    <message>
      <source>nobody</source>
      <translation>niemand</translation>
    </message>
    <message>
      <source>nobody answers it, so its own connection may be down</source>
      <translation>niemand antwortet ihm, vielleicht ist seine eigene Verbindung gestört</translation>
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation>niemand stellt {blocks} bereit</translation>
    </message>
    <message>
      <source>not shared with anybody</source>
      <translation>mit niemandem geteilt</translation>
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
      <source>over the internet</source>
      <translation>über das Internet</translation>
    </message>
    <message>
      <source>owner</source>
      <translation>Eigentümer</translation>
    </message>
    <message>
      <source>pause</source>
      <translation>anhalten</translation>
    </message>
    <message>
      <source>paused contributing</source>
      <translation>macht mit dem Beitragen Pause</translation>
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
      <source>serves another model</source>
      <translation>stellt ein anderes Modell bereit</translation>
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation>stellt {span} mit {memory} bereit</translation>
    </message>
    <message>
      <source>some blocks have no computer</source>
      <translation>manche Blöcke haben keinen Computer</translation>
    </message>
    <message>
      <source>somebody uses this computer</source>
      <translation>jemand benutzt diesen Computer</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>startet</translation>
    </message>
    <message>
      <source>stopped announcing itself</source>
      <translation>meldet sich nicht mehr</translation>
    </message>
    <message>
      <source>stopped serving</source>
      <translation>stellt nichts mehr bereit</translation>
    </message>
    <message>
      <source>takes {time} for a step</source>
      <translation>braucht {time} für einen Schritt</translation>
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
      <source>the household could not go on</source>
      <translation>der Haushalt konnte nicht weitermachen</translation>
    </message>
    <message>
      <source>the household gives {rate} tokens/s only</source>
      <translation>der Haushalt schafft nur {rate} Tokens/s</translation>
    </message>
    <message>
      <source>the household has been back for {time} only</source>
      <translation>der Haushalt ist erst seit {time} zurück</translation>
    </message>
    <message>
      <source>the household was silent for {time}</source>
      <translation>der Haushalt war {time} lang still</translation>
    </message>
    <message>
      <source>the network is paid by volume</source>
      <translation>das Netz wird nach Menge bezahlt</translation>
    </message>
    <message>
      <source>the only model in the store</source>
      <translation>das einzige vorhandene Modell</translation>
    </message>
    <message>
      <source>the user's local models</source>
      <translation>die eigenen lokalen Modelle</translation>
    </message>
    <message>
      <source>the user's model store</source>
      <translation>der eigene Modellordner</translation>
    </message>
    <message>
      <source>this computer alone</source>
      <translation>dieser Computer allein</translation>
    </message>
    <message>
      <source>this computer alone answers ({why}) …</source>
      <translation>dieser Computer antwortet allein ({why}) …</translation>
    </message>
    <message>
      <source>this computer answers …</source>
      <translation>dieser Computer antwortet …</translation>
    </message>
    <message>
      <source>this computer runs on battery</source>
      <translation>dieser Computer läuft im Akkubetrieb</translation>
    </message>
    <message>
      <source>this computer's name</source>
      <translation>der Name dieses Computers</translation>
    </message>
    <message>
      <source>unreachable</source>
      <translation>nicht erreichbar</translation>
    </message>
    <message>
      <source>wait for it</source>
      <translation>auf ihn warten</translation>
    </message>
    <message>
      <source>wait for the household</source>
      <translation>auf den Haushalt warten</translation>
    </message>
    <message>
      <source>was stopped</source>
      <translation>wurde beendet</translation>
    </message>
    <message>
      <source>what homeswarm local use chose</source>
      <translation>das oben gewählte</translation>
    </message>
    <message>
      <source>wire</source>
      <translation>Kabel</translation>
    </message>
    <message>
      <source>wireless</source>
      <translation>Funk</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>ja</translation>
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
      <source>{moved}, where another kind of processor may choose other words</source>
      <translation>{moved}, wo ein anderer Prozessor andere Worte wählen kann</translation>
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
      <source>{names}: a newer version of Homeswarm; update this computer</source>
      <translation>{names}: eine neuere Version von Homeswarm; diesen Computer aktualisieren</translation>
    </message>
    <message>
      <source>{names}: an older version of Homeswarm; update it there</source>
      <translation>{names}: eine ältere Version von Homeswarm; dort aktualisieren</translation>
    </message>
    <message>
      <source>{names}: another version of Homeswarm; update the older one</source>
      <translation>{names}: eine andere Version von Homeswarm; die ältere aktualisieren</translation>
    </message>
    <message>
      <source>{names}: asleep</source>
      <translation>{names}: schläft</translation>
    </message>
    <message>
      <source>{names}: cannot be used</source>
      <translation>{names}: nicht nutzbar</translation>
    </message>
    <message>
      <source>{names}: no answer</source>
      <translation>{names}: keine Antwort</translation>
    </message>
    <message>
      <source>{names}: paused</source>
      <translation>{names}: pausiert</translation>
    </message>
    <message>
      <source>{names}: still loading</source>
      <translation>{names}: lädt noch</translation>
    </message>
    <message>
      <source>{names}: stopped</source>
      <translation>{names}: angehalten</translation>
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
      <source>{name} is removed.</source>
      <translation>{name} ist entfernt.</translation>
    </message>
    <message>
      <source>{name} is there.</source>
      <translation>{name} ist da.</translation>
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
      <source>{name}: this cannot be entered here. {help}</source>
      <translation>{name}: Das kann hier nicht eingetragen werden. {help}</translation>
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation>{peer} konnte nicht weitermachen</translation>
    </message>
    <message>
      <source>{peer} did not answer in time</source>
      <translation>{peer} hat nicht rechtzeitig geantwortet</translation>
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
    <message>
      <source>{why}; this computer went on alone in {time}</source>
      <translation>{why}; dieser Computer machte nach {time} allein weiter</translation>
    </message>
  </context>
</TS>
