<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>homeswarm</name>
    <message>
      <source> and </source>
      <translation> and </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s)</source>
      <translation>
        <numerusform>%n block</numerusform>
        <numerusform>%n blocks</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n block(s) missing</source>
      <translation>
        <numerusform>%n block missing</numerusform>
        <numerusform>%n blocks missing</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n computer(s)</source>
      <translation>
        <numerusform>%n computer</numerusform>
        <numerusform>%n computers</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s)</source>
      <translation>
        <numerusform>%n conversation</numerusform>
        <numerusform>%n conversations</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s) now</source>
      <translation>
        <numerusform>%n conversation now</numerusform>
        <numerusform>%n conversations now</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s)</source>
      <translation>
        <numerusform>%n day</numerusform>
        <numerusform>%n days</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s) ago</source>
      <translation>
        <numerusform>%n day ago</numerusform>
        <numerusform>%n days ago</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s)</source>
      <translation>
        <numerusform>%n hour</numerusform>
        <numerusform>%n hours</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) ago</source>
      <translation>
        <numerusform>%n hour ago</numerusform>
        <numerusform>%n hours ago</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) left</source>
      <translation>
        <numerusform>%n hour left</numerusform>
        <numerusform>%n hours left</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n millisecond(s)</source>
      <translation>
        <numerusform>%n millisecond</numerusform>
        <numerusform>%n milliseconds</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s)</source>
      <translation>
        <numerusform>%n minute</numerusform>
        <numerusform>%n minutes</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s) ago</source>
      <translation>
        <numerusform>%n minute ago</numerusform>
        <numerusform>%n minutes ago</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n second(s)</source>
      <translation>
        <numerusform>%n second</numerusform>
        <numerusform>%n seconds</numerusform>
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
      <translation>&amp;Instruction for the model</translation>
    </message>
    <message>
      <source>&amp;Link</source>
      <translation>&amp;Link</translation>
    </message>
    <message>
      <source>&amp;Longest answer</source>
      <translation>&amp;Longest answer</translation>
    </message>
    <message>
      <source>&amp;Repeatable, with this seed</source>
      <translation>&amp;Repeatable, with this seed</translation>
    </message>
    <message>
      <source>&amp;Temperature</source>
      <translation>&amp;Temperature</translation>
    </message>
    <message>
      <source>&amp;Who answers</source>
      <translation>&amp;Who answers</translation>
    </message>
    <message>
      <source>(this computer)</source>
      <translation>(this computer)</translation>
    </message>
    <message>
      <source>, then </source>
      <translation>, then </translation>
    </message>
    <message>
      <source>0 always takes the likeliest word; higher is more varied.</source>
      <translation>0 always takes the likeliest word; higher is more varied.</translation>
    </message>
    <message>
      <source>A certificate does not fit. Let that computer join anew.</source>
      <translation>A certificate does not fit. Let that computer join anew.</translation>
    </message>
    <message>
      <source>A computer has no memory left for this conversation.</source>
      <translation>A computer has no memory left for this conversation.</translation>
    </message>
    <message>
      <source>A computer is about to sleep. Ask again: another way is taken.</source>
      <translation>A computer is about to sleep. Ask again: another way is taken.</translation>
    </message>
    <message>
      <source>A computer is gone</source>
      <translation>A computer is gone</translation>
    </message>
    <message>
      <source>A computer is no member of this household. Let it join with an invitation.</source>
      <translation>A computer is no member of this household. Let it join with an invitation.</translation>
    </message>
    <message>
      <source>A computer of the household cannot be used now.</source>
      <translation>A computer of the household cannot be used now.</translation>
    </message>
    <message>
      <source>A computer refused its part of the work.</source>
      <translation>A computer refused its part of the work.</translation>
    </message>
    <message>
      <source>A computer shows the certificate of another one.</source>
      <translation>A computer shows the certificate of another one.</translation>
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation>A computer stopped answering in the middle. Ask again: another way is taken.</translation>
    </message>
    <message>
      <source>A file cannot be read or written.</source>
      <translation>A file cannot be read or written.</translation>
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation>A file of the model is damaged. Import it again.</translation>
    </message>
    <message>
      <source>A list of members was signed by a computer that had been removed.</source>
      <translation>A list of members was signed by a computer that had been removed.</translation>
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation>A message takes at most {count} files.</translation>
    </message>
    <message>
      <source>A model</source>
      <translation>A model</translation>
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation>A node is already running with this profile.</translation>
    </message>
    <message>
      <source>A part of Homeswarm has no membership yet. Try again in a moment.</source>
      <translation>A part of Homeswarm has no membership yet. Try again in a moment.</translation>
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation>A part of Homeswarm is not running. The household page says what happened.</translation>
    </message>
    <message>
      <source>A picture of the QR code</source>
      <translation>A picture of the QR code</translation>
    </message>
    <message>
      <source>A second computer keeps up</source>
      <translation>A second computer keeps up</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Address</translation>
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation>Address on which other computers reach this one.</translation>
    </message>
    <message>
      <source>Address to listen at</source>
      <translation>Address to listen at</translation>
    </message>
    <message>
      <source>Addresses to join by</source>
      <translation>Addresses to join by</translation>
    </message>
    <message>
      <source>After a pause of this long in which you did not chat either, the memory of the blocks is given back; they are loaded anew when contributing begins again. 0 keeps it, so that they are there at once.</source>
      <translation>After a pause of this long in which you did not chat either, the memory of the blocks is given back; they are loaded anew when contributing begins again. 0 keeps it, so that they are there at once.</translation>
    </message>
    <message>
      <source>After that</source>
      <translation>After that</translation>
    </message>
    <message>
      <source>An invitation begins with {start}.</source>
      <translation>An invitation begins with {start}.</translation>
    </message>
    <message>
      <source>An owner or admin can invite this computer again.</source>
      <translation>An owner or admin can invite this computer again.</translation>
    </message>
    <message>
      <source>An update is needed</source>
      <translation>An update is needed</translation>
    </message>
    <message>
      <source>Another computer uses the same identity. Only one of them can take part.</source>
      <translation>Another computer uses the same identity. Only one of them can take part.</translation>
    </message>
    <message>
      <source>Another program uses a port that Homeswarm was to have.</source>
      <translation>Another program uses a port that Homeswarm was to have.</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>Answer</translation>
    </message>
    <message>
      <source>Answer again</source>
      <translation>Answer again</translation>
    </message>
    <message>
      <source>Approve</source>
      <translation>Approve</translation>
    </message>
    <message>
      <source>Approve this computer on {name}, where it must show {digits}. Waiting for that …</source>
      <translation>Approve this computer on {name}, where it must show {digits}. Waiting for that …</translation>
    </message>
    <message>
      <source>Ask again; if it happens again, import the model anew.</source>
      <translation>Ask again; if it happens again, import the model anew.</translation>
    </message>
    <message>
      <source>Ask for a new link.</source>
      <translation>Ask for a new link.</translation>
    </message>
    <message>
      <source>Ask something …</source>
      <translation>Ask something …</translation>
    </message>
    <message>
      <source>Ask {name} to let this computer in</source>
      <translation>Ask {name} to let this computer in</translation>
    </message>
    <message>
      <source>Asleep: {names}</source>
      <translation>Asleep: {names}</translation>
    </message>
    <message>
      <source>Attach text files</source>
      <translation>Attach text files</translation>
    </message>
    <message>
      <source>Attention cache for the conversations of the whole household on this computer.</source>
      <translation>Attention cache for the conversations of the whole household on this computer.</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Back</translation>
    </message>
    <message>
      <source>Between two tokens, 19 times of 20 at most</source>
      <translation>Between two tokens, 19 times of 20 at most</translation>
    </message>
    <message>
      <source>Between two tokens, usually</source>
      <translation>Between two tokens, usually</translation>
    </message>
    <message>
      <source>Blocks</source>
      <translation>Blocks</translation>
    </message>
    <message>
      <source>Blocks are missing</source>
      <translation>Blocks are missing</translation>
    </message>
    <message>
      <source>Blocks of the model and who serves them</source>
      <translation>Blocks of the model and who serves them</translation>
    </message>
    <message>
      <source>Blocks to serve</source>
      <translation>Blocks to serve</translation>
    </message>
    <message>
      <source>By an invitation, its QR code, or by asking a computer nearby.</source>
      <translation>By an invitation, its QR code, or by asking a computer nearby.</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Cancel</translation>
    </message>
    <message>
      <source>Cancel the invitation</source>
      <translation>Cancel the invitation</translation>
    </message>
    <message>
      <source>Changes of the household hold only until Homeswarm stops: they cannot be written. Free some space.</source>
      <translation>Changes of the household hold only until Homeswarm stops: they cannot be written. Free some space.</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>Chats</translation>
    </message>
    <message>
      <source>Chooses among the likeliest words that together have this probability.</source>
      <translation>Chooses among the likeliest words that together have this probability.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Close</translation>
    </message>
    <message>
      <source>Close other programs, or choose a smaller model in the settings.</source>
      <translation>Close other programs, or choose a smaller model in the settings.</translation>
    </message>
    <message>
      <source>Close the window</source>
      <translation>Close the window</translation>
    </message>
    <message>
      <source>Code, {language}</source>
      <translation>Code, {language}</translation>
    </message>
    <message>
      <source>Compute</source>
      <translation>Compute</translation>
    </message>
    <message>
      <source>Compute threads of each child process at most; it takes as many as gain. 0: one for each core.</source>
      <translation>Compute threads of each child process at most; it takes as many as gain. 0: one for each core.</translation>
    </message>
    <message>
      <source>Computers</source>
      <translation>Computers</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>Connection</translation>
    </message>
    <message>
      <source>Contribute</source>
      <translation>Contribute</translation>
    </message>
    <message>
      <source>Contributing</source>
      <translation>Contributing</translation>
    </message>
    <message>
      <source>Contributing gently: {why}</source>
      <translation>Contributing gently: {why}</translation>
    </message>
    <message>
      <source>Contributing is paused</source>
      <translation>Contributing is paused</translation>
    </message>
    <message>
      <source>Contributing is paused on this computer.</source>
      <translation>Contributing is paused on this computer.</translation>
    </message>
    <message>
      <source>Contributing, as you asked, although {why}</source>
      <translation>Contributing, as you asked, although {why}</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>Conversation</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Copy</translation>
    </message>
    <message>
      <source>Copy the token</source>
      <translation>Copy the token</translation>
    </message>
    <message>
      <source>Copy this answer</source>
      <translation>Copy this answer</translation>
    </message>
    <message>
      <source>Copy this code</source>
      <translation>Copy this code</translation>
    </message>
    <message>
      <source>Copy this message</source>
      <translation>Copy this message</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Delete</translation>
    </message>
    <message>
      <source>Delete a chat</source>
      <translation>Delete a chat</translation>
    </message>
    <message>
      <source>Delete the model {name} from this computer?</source>
      <translation>Delete the model {name} from this computer?</translation>
    </message>
    <message>
      <source>Delete this chat? It cannot be brought back.</source>
      <translation>Delete this chat? It cannot be brought back.</translation>
    </message>
    <message>
      <source>Delete …</source>
      <translation>Delete …</translation>
    </message>
    <message>
      <source>Do not contribute</source>
      <translation>Do not contribute</translation>
    </message>
    <message>
      <source>Do not edit</source>
      <translation>Do not edit</translation>
    </message>
    <message>
      <source>Earlier version</source>
      <translation>Earlier version</translation>
    </message>
    <message>
      <source>Edit this message and send it again</source>
      <translation>Edit this message and send it again</translation>
    </message>
    <message>
      <source>Everything is covered again</source>
      <translation>Everything is covered again</translation>
    </message>
    <message>
      <source>Export as JSON …</source>
      <translation>Export as JSON …</translation>
    </message>
    <message>
      <source>Export as Markdown …</source>
      <translation>Export as Markdown …</translation>
    </message>
    <message>
      <source>Export this chat</source>
      <translation>Export this chat</translation>
    </message>
    <message>
      <source>Exported to {name}.</source>
      <translation>Exported to {name}.</translation>
    </message>
    <message>
      <source>File …</source>
      <translation>File …</translation>
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation>Files of the model are missing or cut short. Import it again.</translation>
    </message>
    <message>
      <source>Folder of local models</source>
      <translation>Folder of local models</translation>
    </message>
    <message>
      <source>Folder of models</source>
      <translation>Folder of models</translation>
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation>Folder of the local models.</translation>
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation>Folder of the model store.</translation>
    </message>
    <message>
      <source>Folder, GGUF file, or owner/name to download</source>
      <translation>Folder, GGUF file, or owner/name to download</translation>
    </message>
    <message>
      <source>For an open swarm: an address of a computer in it, to join by; give several for safety. None founds one. A private swarm is joined by a link.</source>
      <translation>For an open swarm: an address of a computer in it, to join by; give several for safety. None founds one. A private swarm is joined by a link.</translation>
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation>For example: You are a patient teacher. Answer briefly.</translation>
    </message>
    <message>
      <source>For the household</source>
      <translation>For the household</translation>
    </message>
    <message>
      <source>For this computer alone, when the household cannot answer</source>
      <translation>For this computer alone, when the household cannot answer</translation>
    </message>
    <message>
      <source>Getting ready …</source>
      <translation>Getting ready …</translation>
    </message>
    <message>
      <source>Give memory back after a pause of</source>
      <translation>Give memory back after a pause of</translation>
    </message>
    <message>
      <source>Give the local model's memory back after</source>
      <translation>Give the local model's memory back after</translation>
    </message>
    <message>
      <source>Go on contributing when the app has quit</source>
      <translation>Go on contributing when the app has quit</translation>
    </message>
    <message>
      <source>Good night</source>
      <translation>Good night</translation>
    </message>
    <message>
      <source>Have a second computer keep up with each of your answers, so that a loss costs no replay. Your answers then take twice the memory and twice the work of the household; homeswarm status shows the price in memory before you switch it on.</source>
      <translation>Have a second computer keep up with each of your answers, so that a loss costs no replay. Your answers then take twice the memory and twice the work of the household; homeswarm status shows the price in memory before you switch it on.</translation>
    </message>
    <message>
      <source>Hide this notice</source>
      <translation>Hide this notice</translation>
    </message>
    <message>
      <source>Home</source>
      <translation>Home</translation>
    </message>
    <message>
      <source>Homeswarm can stay ready in the tray.</source>
      <translation>Homeswarm can stay ready in the tray.</translation>
    </message>
    <message>
      <source>Homeswarm cannot run this kind of model.</source>
      <translation>Homeswarm cannot run this kind of model.</translation>
    </message>
    <message>
      <source>Homeswarm is not running</source>
      <translation>Homeswarm is not running</translation>
    </message>
    <message>
      <source>Homeswarm is open already and does not answer. End it, then start it again.</source>
      <translation>Homeswarm is open already and does not answer. End it, then start it again.</translation>
    </message>
    <message>
      <source>Homeswarm's node has ended.</source>
      <translation>Homeswarm's node has ended.</translation>
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation>Homeswarm's node is not running on this computer.</translation>
    </message>
    <message>
      <source>Homeswarm's own command could not be started.</source>
      <translation>Homeswarm's own command could not be started.</translation>
    </message>
    <message>
      <source>Household</source>
      <translation>Household</translation>
    </message>
    <message>
      <source>How much of the model's memory the conversation takes</source>
      <translation>How much of the model's memory the conversation takes</translation>
    </message>
    <message>
      <source>How soon a silent computer is given up: home_lan within about a second, for computers of one home; over_internet within about three, for lines that lose packets; test is for tests on one computer.</source>
      <translation>How soon a silent computer is given up: in one home within about a second; over the internet within about three, for lines that lose packets; the third choice is for tests on one computer.</translation>
    </message>
    <message>
      <source>How this answer came about</source>
      <translation>How this answer came about</translation>
    </message>
    <message>
      <source>Import</source>
      <translation>Import</translation>
    </message>
    <message>
      <source>Import the same model on both computers.</source>
      <translation>Import the same model on both computers.</translation>
    </message>
    <message>
      <source>In no household</source>
      <translation>In no household</translation>
    </message>
    <message>
      <source>In this profile's folder, readable by you alone.</source>
      <translation>In this profile's folder, readable by you alone.</translation>
    </message>
    <message>
      <source>Instruction and sampling of this chat</source>
      <translation>Instruction and sampling of this chat</translation>
    </message>
    <message>
      <source>Invitation link</source>
      <translation>Invitation link</translation>
    </message>
    <message>
      <source>Invitation links could not be registered. They can still be pasted.</source>
      <translation>Invitation links could not be registered. They can still be pasted.</translation>
    </message>
    <message>
      <source>Invite a computer</source>
      <translation>Invite a computer</translation>
    </message>
    <message>
      <source>It is being started again.</source>
      <translation>It is being started again.</translation>
    </message>
    <message>
      <source>Join</source>
      <translation>Join</translation>
    </message>
    <message>
      <source>Join a household</source>
      <translation>Join a household</translation>
    </message>
    <message>
      <source>Join with a link</source>
      <translation>Join with a link</translation>
    </message>
    <message>
      <source>Joining the household …</source>
      <translation>Joining the household …</translation>
    </message>
    <message>
      <source>Just chat on this computer</source>
      <translation>Just chat on this computer</translation>
    </message>
    <message>
      <source>Keep running</source>
      <translation>Keep running</translation>
    </message>
    <message>
      <source>Keep the keys in a file</source>
      <translation>Keep the keys in a file</translation>
    </message>
    <message>
      <source>Keep the local model in memory</source>
      <translation>Keep the local model in memory</translation>
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</translation>
    </message>
    <message>
      <source>Keep waiting</source>
      <translation>Keep waiting</translation>
    </message>
    <message>
      <source>Language (after the next start)</source>
      <translation>Language (after the next start)</translation>
    </message>
    <message>
      <source>Later version</source>
      <translation>Later version</translation>
    </message>
    <message>
      <source>Leave</source>
      <translation>Leave</translation>
    </message>
    <message>
      <source>Leave it first, on the household page.</source>
      <translation>Leave it first, on the household page.</translation>
    </message>
    <message>
      <source>Leave the household</source>
      <translation>Leave the household</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>Length</translation>
    </message>
    <message>
      <source>Let that computer join anew with an invitation.</source>
      <translation>Let that computer join anew with an invitation.</translation>
    </message>
    <message>
      <source>Let this computer answer</source>
      <translation>Let this computer answer</translation>
    </message>
    <message>
      <source>Link</source>
      <translation>Link</translation>
    </message>
    <message>
      <source>Local API</source>
      <translation>Local API</translation>
    </message>
    <message>
      <source>Local model</source>
      <translation>Local model</translation>
    </message>
    <message>
      <source>Longest conversation</source>
      <translation>Longest conversation</translation>
    </message>
    <message>
      <source>Longest conversation of your own, question and answer together.</source>
      <translation>Longest conversation of your own, question and answer together.</translation>
    </message>
    <message>
      <source>Looking for households in this network …</source>
      <translation>Looking for households in this network …</translation>
    </message>
    <message>
      <source>Make a new token</source>
      <translation>Make a new token</translation>
    </message>
    <message>
      <source>Make somebody else an owner first.</source>
      <translation>Make somebody else an owner first.</translation>
    </message>
    <message>
      <source>Members</source>
      <translation>Members</translation>
    </message>
    <message>
      <source>Memory for conversations</source>
      <translation>Memory for conversations</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Model</translation>
    </message>
    <message>
      <source>Model to import</source>
      <translation>Model to import</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Models</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>Name of the &amp;household</source>
      <translation>Name of the &amp;household</translation>
    </message>
    <message>
      <source>Name of the household</source>
      <translation>Name of the household</translation>
    </message>
    <message>
      <source>Name of this &amp;computer</source>
      <translation>Name of this &amp;computer</translation>
    </message>
    <message>
      <source>Nearby</source>
      <translation>Nearby</translation>
    </message>
    <message>
      <source>New chat</source>
      <translation>New chat</translation>
    </message>
    <message>
      <source>New chat (Ctrl+N)</source>
      <translation>New chat (Ctrl+N)</translation>
    </message>
    <message>
      <source>New token</source>
      <translation>New token</translation>
    </message>
    <message>
      <source>New token …</source>
      <translation>New token …</translation>
    </message>
    <message>
      <source>No answer has been given yet.</source>
      <translation>No answer has been given yet.</translation>
    </message>
    <message>
      <source>No household in this network can be asked at the moment.</source>
      <translation>No household in this network can be asked at the moment.</translation>
    </message>
    <message>
      <source>Nobody</source>
      <translation>Nobody</translation>
    </message>
    <message>
      <source>Nobody serves blocks yet.</source>
      <translation>Nobody serves blocks yet.</translation>
    </message>
    <message>
      <source>Nobody serves {blocks} now.</source>
      <translation>Nobody serves {blocks} now.</translation>
    </message>
    <message>
      <source>Nobody who answers has made this invitation.</source>
      <translation>Nobody who answers has made this invitation.</translation>
    </message>
    <message>
      <source>None of the computers in the invitation answers. Switch one on, or ask for a fresh link.</source>
      <translation>None of the computers in the invitation answers. Switch one on, or ask for a fresh link.</translation>
    </message>
    <message>
      <source>None yet.</source>
      <translation>None yet.</translation>
    </message>
    <message>
      <source>Nothing found.</source>
      <translation>Nothing found.</translation>
    </message>
    <message>
      <source>On a metered network</source>
      <translation>On a metered network</translation>
    </message>
    <message>
      <source>On battery</source>
      <translation>On battery</translation>
    </message>
    <message>
      <source>One moment</source>
      <translation>One moment</translation>
    </message>
    <message>
      <source>Open Homeswarm</source>
      <translation>Open Homeswarm</translation>
    </message>
    <message>
      <source>Open invitation for: {role}</source>
      <translation>Open invitation for: {role}</translation>
    </message>
    <message>
      <source>Open swarm</source>
      <translation>Open swarm</translation>
    </message>
    <message>
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation>Other programs on this computer can use the model through it, as through OpenAI's.</translation>
    </message>
    <message>
      <source>Paste the link that you were sent, or open or paste a picture of its QR code.</source>
      <translation>Paste the link that you were sent, or open or paste a picture of its QR code.</translation>
    </message>
    <message>
      <source>Pasted text</source>
      <translation>Pasted text</translation>
    </message>
    <message>
      <source>Patience</source>
      <translation>Patience</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>Pause for an hour</translation>
    </message>
    <message>
      <source>Paused until {time}, as you asked</source>
      <translation>Paused until {time}, as you asked</translation>
    </message>
    <message>
      <source>Paused until {time}: {why}</source>
      <translation>Paused until {time}: {why}</translation>
    </message>
    <message>
      <source>Paused, as you asked</source>
      <translation>Paused, as you asked</translation>
    </message>
    <message>
      <source>Paused: {why}</source>
      <translation>Paused: {why}</translation>
    </message>
    <message>
      <source>Pauses</source>
      <translation>Pauses</translation>
    </message>
    <message>
      <source>Picture …</source>
      <translation>Picture …</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>Pictures</translation>
    </message>
    <message>
      <source>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</source>
      <translation>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</translation>
    </message>
    <message>
      <source>Port for other computers</source>
      <translation>Port for other computers</translation>
    </message>
    <message>
      <source>Port of the door</source>
      <translation>Port of the door</translation>
    </message>
    <message>
      <source>Port of the local API</source>
      <translation>Port of the local API</translation>
    </message>
    <message>
      <source>Port of the local API, on this computer only; 0 takes a free one (api.json in the profile has it).</source>
      <translation>Port of the local API, on this computer only; 0 takes a free one (api.json in the profile has it).</translation>
    </message>
    <message>
      <source>Port on which other computers reach this one; 0 takes a free one.</source>
      <translation>Port on which other computers reach this one; 0 takes a free one.</translation>
    </message>
    <message>
      <source>Power</source>
      <translation>Power</translation>
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation>Preparing the model …</translation>
    </message>
    <message>
      <source>Programs that use the present token are refused until they have the new one.</source>
      <translation>Programs that use the present token are refused until they have the new one.</translation>
    </message>
    <message>
      <source>QR code of the invitation</source>
      <translation>QR code of the invitation</translation>
    </message>
    <message>
      <source>Question and history</source>
      <translation>Question and history</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Quit</translation>
    </message>
    <message>
      <source>Quit Homeswarm</source>
      <translation>Quit Homeswarm</translation>
    </message>
    <message>
      <source>Read the QR code of an invitation from a picture</source>
      <translation>Read the QR code of an invitation from a picture</translation>
    </message>
    <message>
      <source>Refuse</source>
      <translation>Refuse</translation>
    </message>
    <message>
      <source>Remember this</source>
      <translation>Remember this</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Remove</translation>
    </message>
    <message>
      <source>Remove a member</source>
      <translation>Remove a member</translation>
    </message>
    <message>
      <source>Remove a model</source>
      <translation>Remove a model</translation>
    </message>
    <message>
      <source>Remove {name}</source>
      <translation>Remove {name}</translation>
    </message>
    <message>
      <source>Rename this chat</source>
      <translation>Rename this chat</translation>
    </message>
    <message>
      <source>Rename …</source>
      <translation>Rename …</translation>
    </message>
    <message>
      <source>Restart the node for the new settings: this app has not started it.</source>
      <translation>Restart the node for the new settings: this app has not started it.</translation>
    </message>
    <message>
      <source>Round trip</source>
      <translation>Round trip</translation>
    </message>
    <message>
      <source>Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on this computer alone.</source>
      <translation>Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on this computer alone.</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Save</translation>
    </message>
    <message>
      <source>Saved.</source>
      <translation>Saved.</translation>
    </message>
    <message>
      <source>Saved. The node starts anew.</source>
      <translation>Saved. The node starts anew.</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Search</translation>
    </message>
    <message>
      <source>Search all chats</source>
      <translation>Search all chats</translation>
    </message>
    <message>
      <source>Send</source>
      <translation>Send</translation>
    </message>
    <message>
      <source>Serves {span}</source>
      <translation>Serves {span}</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Settings</translation>
    </message>
    <message>
      <source>Settings of this chat</source>
      <translation>Settings of this chat</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>Show all</translation>
    </message>
    <message>
      <source>Show all of this message</source>
      <translation>Show all of this message</translation>
    </message>
    <message>
      <source>Show everything</source>
      <translation>Show everything</translation>
    </message>
    <message>
      <source>Show up nearby</source>
      <translation>Show up nearby</translation>
    </message>
    <message>
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation>Silence of the household in an answer after which the local model takes over.</translation>
    </message>
    <message>
      <source>Silence until the local model takes over</source>
      <translation>Silence until the local model takes over</translation>
    </message>
    <message>
      <source>Slowest speed</source>
      <translation>Slowest speed</translation>
    </message>
    <message>
      <source>Some blocks have no computer now. Wake one that holds them, or start another.</source>
      <translation>Some blocks have no computer now. Wake one that holds them, or start another.</translation>
    </message>
    <message>
      <source>Somebody asks to join</source>
      <translation>Somebody asks to join</translation>
    </message>
    <message>
      <source>Something could not be saved</source>
      <translation>Something could not be saved</translation>
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation>Something went wrong inside the node. Its log has the details.</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>Start</translation>
    </message>
    <message>
      <source>Start a household</source>
      <translation>Start a household</translation>
    </message>
    <message>
      <source>Start it again: it goes on where it stopped.</source>
      <translation>Start it again: it goes on where it stopped.</translation>
    </message>
    <message>
      <source>Start or join one on the household page.</source>
      <translation>Start or join one on the household page.</translation>
    </message>
    <message>
      <source>Start when I log in</source>
      <translation>Start when I log in</translation>
    </message>
    <message>
      <source>Starting …</source>
      <translation>Starting …</translation>
    </message>
    <message>
      <source>State</source>
      <translation>State</translation>
    </message>
    <message>
      <source>Stay awake while answering</source>
      <translation>Stay awake while answering</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>Stop the answer</translation>
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation>Tell when a computer goes to sleep or is lost</translation>
    </message>
    <message>
      <source>That did not work</source>
      <translation>That did not work</translation>
    </message>
    <message>
      <source>That has been decided meanwhile.</source>
      <translation>That has been decided meanwhile.</translation>
    </message>
    <message numerus="yes">
      <source>The %n oldest message(s) no longer fitted and were left out.</source>
      <translation>
        <numerusform>The %n oldest message no longer fitted and were left out.</numerusform>
        <numerusform>The %n oldest messages no longer fitted and were left out.</numerusform>
      </translation>
    </message>
    <message>
      <source>The answer being given comes from this computer alone.</source>
      <translation>The answer being given comes from this computer alone.</translation>
    </message>
    <message>
      <source>The answer being given goes through {names}.</source>
      <translation>The answer being given goes through {names}.</translation>
    </message>
    <message>
      <source>The answer did not begin.</source>
      <translation>The answer did not begin.</translation>
    </message>
    <message>
      <source>The answer reached its longest allowed length.</source>
      <translation>The answer reached its longest allowed length.</translation>
    </message>
    <message>
      <source>The answer was cut off when Homeswarm ended.</source>
      <translation>The answer was cut off when Homeswarm ended.</translation>
    </message>
    <message>
      <source>The blocks to serve to the household: START:END (END not included), auto to choose what the household lacks most, or none to only chat.</source>
      <translation>The blocks to serve to the household: START:END (END not included), auto to choose what the household lacks most, or none to only chat.</translation>
    </message>
    <message>
      <source>The chats' part of Homeswarm does not run.</source>
      <translation>The chats' part of Homeswarm does not run.</translation>
    </message>
    <message>
      <source>The computer is busy with other answers. Try again in a moment.</source>
      <translation>The computer is busy with other answers. Try again in a moment.</translation>
    </message>
    <message>
      <source>The computers have different versions of Homeswarm. Update the older one.</source>
      <translation>The computers have different versions of Homeswarm. Update the older one.</translation>
    </message>
    <message>
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation>The computers of your household run one language model together. Nothing leaves your home.</translation>
    </message>
    <message>
      <source>The connection to the household could not be started. Try again.</source>
      <translation>The connection to the household could not be started. Try again.</translation>
    </message>
    <message>
      <source>The conversation does not fit the model's memory. Shorten the message or start a new chat.</source>
      <translation>The conversation does not fit the model's memory. Shorten the message or start a new chat.</translation>
    </message>
    <message>
      <source>The disk is full. Free some space; what you wrote is not lost.</source>
      <translation>The disk is full. Free some space; what you wrote is not lost.</translation>
    </message>
    <message>
      <source>The download failed. Start it again: it goes on where it stopped.</source>
      <translation>The download failed. Start it again: it goes on where it stopped.</translation>
    </message>
    <message>
      <source>The file with the chats cannot be used.</source>
      <translation>The file with the chats cannot be used.</translation>
    </message>
    <message>
      <source>The file with the chats was damaged. It lies beside the new one in the profile's folder.</source>
      <translation>The file with the chats was damaged. It lies beside the new one in the profile's folder.</translation>
    </message>
    <message>
      <source>The file with the membership is damaged. Leave the household, join anew.</source>
      <translation>The file with the membership is damaged. Leave the household, join anew.</translation>
    </message>
    <message>
      <source>The folder of the profile cannot be used.</source>
      <translation>The folder of the profile cannot be used.</translation>
    </message>
    <message>
      <source>The household can answer.</source>
      <translation>The household can answer.</translation>
    </message>
    <message>
      <source>The household cannot answer ({why}). {model} on this computer could.</source>
      <translation>The household cannot answer ({why}). {model} on this computer could.</translation>
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation>The household cannot answer until they are back.</translation>
    </message>
    <message>
      <source>The household cannot answer; the model of this computer could.</source>
      <translation>The household cannot answer; the model of this computer could.</translation>
    </message>
    <message>
      <source>The household cannot go on ({why}). {model} on this computer could.</source>
      <translation>The household cannot go on ({why}). {model} on this computer could.</translation>
    </message>
    <message>
      <source>The household has a new key. Switch on the computer of an owner or admin.</source>
      <translation>The household has a new key. Switch on the computer of an owner or admin.</translation>
    </message>
    <message>
      <source>The household page says what happened.</source>
      <translation>The household page says what happened.</translation>
    </message>
    <message>
      <source>The keyring cannot be used. Unlock it and try again, or allow a file that only you can read.</source>
      <translation>The keyring cannot be used. Unlock it and try again, or allow a file that only you can read.</translation>
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation>The keyring is locked, so this computer cannot prove who it is. Unlock it.</translation>
    </message>
    <message>
      <source>The keys of the household that this computer has left could not be deleted from the keyring.</source>
      <translation>The keys of the household that this computer has left could not be deleted from the keyring.</translation>
    </message>
    <message>
      <source>The last owner cannot go. Make somebody else an owner first.</source>
      <translation>The last owner cannot go. Make somebody else an owner first.</translation>
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation>The latest answer went through {names}.</translation>
    </message>
    <message>
      <source>The membership has run out. Switch on the computer of an owner or admin to renew it.</source>
      <translation>The membership has run out. Switch on the computer of an owner or admin to renew it.</translation>
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation>The membership is being checked …</translation>
    </message>
    <message>
      <source>The message is too long to be sent.</source>
      <translation>The message is too long to be sent.</translation>
    </message>
    <message>
      <source>The model does not fit into the free memory.</source>
      <translation>The model does not fit into the free memory.</translation>
    </message>
    <message>
      <source>The model gave nonsense numbers. Ask again, or import it anew.</source>
      <translation>The model gave nonsense numbers. Ask again, or import it anew.</translation>
    </message>
    <message>
      <source>The model of this computer failed. Ask again.</source>
      <translation>The model of this computer failed. Ask again.</translation>
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation>The model on this computer that answers when the household cannot (see `homeswarm local list`).</translation>
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation>The model to run, by its name or id in the store (see `homeswarm model list`).</translation>
    </message>
    <message>
      <source>The model's words do not fit its weights. Import it again.</source>
      <translation>The model's words do not fit its weights. Import it again.</translation>
    </message>
    <message>
      <source>The node does not know what was asked for.</source>
      <translation>The node does not know what was asked for.</translation>
    </message>
    <message>
      <source>The node ended without a word.</source>
      <translation>The node ended without a word.</translation>
    </message>
    <message>
      <source>The node has ended: {why}</source>
      <translation>The node has ended: {why}</translation>
    </message>
    <message>
      <source>The node is not running.</source>
      <translation>The node is not running.</translation>
    </message>
    <message>
      <source>The node refused this.</source>
      <translation>The node refused this.</translation>
    </message>
    <message>
      <source>The node said something that this window does not understand.</source>
      <translation>The node said something that this window does not understand.</translation>
    </message>
    <message>
      <source>The old token is refused from now on.</source>
      <translation>The old token is refused from now on.</translation>
    </message>
    <message>
      <source>The other computer could not prove itself. Try again.</source>
      <translation>The other computer could not prove itself. Try again.</translation>
    </message>
    <message>
      <source>The other computer refused.</source>
      <translation>The other computer refused.</translation>
    </message>
    <message>
      <source>The other computer speaks another version of Homeswarm.</source>
      <translation>The other computer speaks another version of Homeswarm.</translation>
    </message>
    <message>
      <source>The request makes no sense to the node.</source>
      <translation>The request makes no sense to the node.</translation>
    </message>
    <message>
      <source>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</source>
      <translation>The same while a program fills the screen: a game, a film or a talk. Paused by default, because a stutter there is noticed at once.</translation>
    </message>
    <message>
      <source>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</source>
      <translation>The same while the network in use is paid by volume, such as a telephone's. Paused by default, because every token of an answer crosses it.</translation>
    </message>
    <message>
      <source>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</source>
      <translation>The same while this computer runs on battery. Paused by default, because the others' answers would empty it; its own chats go on.</translation>
    </message>
    <message>
      <source>The settings list the models of this computer.</source>
      <translation>The settings list the models of this computer.</translation>
    </message>
    <message>
      <source>The start at login could not be changed.</source>
      <translation>The start at login could not be changed.</translation>
    </message>
    <message>
      <source>The system does not let Homeswarm delay its sleep.</source>
      <translation>The system does not let Homeswarm delay its sleep.</translation>
    </message>
    <message>
      <source>The token is in the clipboard.</source>
      <translation>The token is in the clipboard.</translation>
    </message>
    <message>
      <source>The two computers have different models. Import the same one on both.</source>
      <translation>The two computers have different models. Import the same one on both.</translation>
    </message>
    <message>
      <source>There is no display that a window could open on.</source>
      <translation>There is no display that a window could open on.</translation>
    </message>
    <message>
      <source>There is no invitation's QR code in this picture.</source>
      <translation>There is no invitation's QR code in this picture.</translation>
    </message>
    <message>
      <source>They said no.</source>
      <translation>They said no.</translation>
    </message>
    <message>
      <source>This app</source>
      <translation>This app</translation>
    </message>
    <message>
      <source>This belongs to another household.</source>
      <translation>This belongs to another household.</translation>
    </message>
    <message>
      <source>This chat is not there any more.</source>
      <translation>This chat is not there any more.</translation>
    </message>
    <message>
      <source>This computer can come back only with a new invitation.</source>
      <translation>This computer can come back only with a new invitation.</translation>
    </message>
    <message>
      <source>This computer in the household</source>
      <translation>This computer in the household</translation>
    </message>
    <message>
      <source>This computer is in a household already. Leave it first.</source>
      <translation>This computer is in a household already. Leave it first.</translation>
    </message>
    <message>
      <source>This computer is in no household any more.</source>
      <translation>This computer is in no household any more.</translation>
    </message>
    <message>
      <source>This computer is in no household yet.</source>
      <translation>This computer is in no household yet.</translation>
    </message>
    <message>
      <source>This computer is in no household yet; {model} answers alone.</source>
      <translation>This computer is in no household yet; {model} answers alone.</translation>
    </message>
    <message>
      <source>This computer may sleep without a word. Answers that run through it then pause for a second.</source>
      <translation>This computer may sleep without a word. Answers that run through it then pause for a second.</translation>
    </message>
    <message>
      <source>This computer only chats</source>
      <translation>This computer only chats</translation>
    </message>
    <message>
      <source>This computer serves a part of the model to your household while Homeswarm runs.</source>
      <translation>This computer serves a part of the model to your household while Homeswarm runs.</translation>
    </message>
    <message>
      <source>This computer was removed from the household. An owner can invite it again.</source>
      <translation>This computer was removed from the household. An owner can invite it again.</translation>
    </message>
    <message>
      <source>This computer was removed from {name}.</source>
      <translation>This computer was removed from {name}.</translation>
    </message>
    <message>
      <source>This computer, {model}</source>
      <translation>This computer, {model}</translation>
    </message>
    <message>
      <source>This computer: {facts}</source>
      <translation>This computer: {facts}</translation>
    </message>
    <message>
      <source>This invitation has run out.</source>
      <translation>This invitation has run out.</translation>
    </message>
    <message>
      <source>This invitation is used by too many computers at once.</source>
      <translation>This invitation is used by too many computers at once.</translation>
    </message>
    <message>
      <source>This invitation was cancelled.</source>
      <translation>This invitation was cancelled.</translation>
    </message>
    <message>
      <source>This invitation was used already.</source>
      <translation>This invitation was used already.</translation>
    </message>
    <message>
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation>This is an open swarm on this computer, without members and invitations.</translation>
    </message>
    <message>
      <source>This is no whole invitation. Copy all of the link again.</source>
      <translation>This is no whole invitation. Copy all of the link again.</translation>
    </message>
    <message>
      <source>This is the first computer. Invite the others afterwards.</source>
      <translation>This is the first computer. Invite the others afterwards.</translation>
    </message>
    <message>
      <source>This model is not on this computer.</source>
      <translation>This model is not on this computer.</translation>
    </message>
    <message>
      <source>Threads</source>
      <translation>Threads</translation>
    </message>
    <message>
      <source>Times</source>
      <translation>Times</translation>
    </message>
    <message>
      <source>Times to contribute</source>
      <translation>Times to contribute</translation>
    </message>
    <message>
      <source>To the first word</source>
      <translation>To the first word</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Together</translation>
    </message>
    <message>
      <source>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</source>
      <translation>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</translation>
    </message>
    <message>
      <source>Too many computers ask at once. Try again in a moment.</source>
      <translation>Too many computers ask at once. Try again in a moment.</translation>
    </message>
    <message>
      <source>Top &amp;p</source>
      <translation>Top &amp;p</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Try again</translation>
    </message>
    <message>
      <source>Try it out with a small model. You can start or join a household later.</source>
      <translation>Try it out with a small model. You can start or join a household later.</translation>
    </message>
    <message>
      <source>Two computers' clocks are too far apart. Turn on automatic time on both.</source>
      <translation>Two computers' clocks are too far apart. Turn on automatic time on both.</translation>
    </message>
    <message>
      <source>Unlock or install one and try again, or allow a file that only you can read.</source>
      <translation>Unlock or install one and try again, or allow a file that only you can read.</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>Use</translation>
    </message>
    <message>
      <source>Use {name}</source>
      <translation>Use {name}</translation>
    </message>
    <message>
      <source>Wake or start {names}.</source>
      <translation>Wake or start {names}.</translation>
    </message>
    <message>
      <source>Welcome to Homeswarm</source>
      <translation>Welcome to Homeswarm</translation>
    </message>
    <message>
      <source>What changed lately</source>
      <translation>What changed lately</translation>
    </message>
    <message>
      <source>What happens to contributing while somebody uses this computer, and for five minutes after: gentle lets their programs go first and still answers the household; pause serves nobody else meanwhile; ignore makes no difference. Gentle by default, because most use leaves a processor idle.</source>
      <translation>What happens to contributing while somebody uses this computer, and for five minutes after: going gently lets their programs go first and still answers the household; a pause serves nobody else meanwhile. It goes gently by default, because most use leaves a processor idle.</translation>
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation>What the model can keep in mind at once. When it is full, the oldest messages are left out.</translation>
    </message>
    <message>
      <source>What the model is for</source>
      <translation>What the model is for</translation>
    </message>
    <message>
      <source>What this computer is called in the household.</source>
      <translation>What this computer is called in the household.</translation>
    </message>
    <message>
      <source>What would you like to know?</source>
      <translation>What would you like to know?</translation>
    </message>
    <message>
      <source>What your answers do about a computer that is late but lives: wait for it; hedge, which starts another one beside it and takes whichever is first; or reroute, which moves away once the wait has cost as much as the move. Hedging costs the others a little work, and you nothing when the guess was wrong.</source>
      <translation>What your answers do about a computer that is late but lives: wait for it; ask another one beside it and take whichever is first; or move away once the wait has cost as much as the move. Asking beside it costs the others a little work, and you nothing when the guess was wrong.</translation>
    </message>
    <message>
      <source>When a computer is late</source>
      <translation>When a computer is late</translation>
    </message>
    <message>
      <source>When the household &amp;cannot</source>
      <translation>When the household &amp;cannot</translation>
    </message>
    <message>
      <source>When the household cannot answer</source>
      <translation>When the household cannot answer</translation>
    </message>
    <message>
      <source>When the household cannot answer in time: auto lets the local model begin or go on, and says so; ask leaves it to you; never waits for the household alone.</source>
      <translation>When the household cannot answer in time: automatic lets the local model begin or go on, and says so; the second leaves it to you; never waits for the household alone.</translation>
    </message>
    <message>
      <source>When the local model is in memory: auto while you chat and the household has no spare computer, one is in doubt, or it answers; always, all the time.</source>
      <translation>When the local model is in memory: automatic, while you chat and the household has no spare computer, one is in doubt, or it answers; always, all the time.</translation>
    </message>
    <message>
      <source>When the window is closed</source>
      <translation>When the window is closed</translation>
    </message>
    <message>
      <source>When this computer contributes: always, or times of day such as 22:00-07:00, or with days mon-fri 18:00-23:00, sat-sun 00:00-24:00. Always by default: a computer that is on can help.</source>
      <translation>When this computer contributes: always, or times of day such as 22:00-07:00, or with days mon-fri 18:00-23:00, sat-sun 00:00-24:00. Always by default: a computer that is on can help.</translation>
    </message>
    <message>
      <source>Where the keys are kept</source>
      <translation>Where the keys are kept</translation>
    </message>
    <message>
      <source>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</source>
      <translation>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</translation>
    </message>
    <message>
      <source>Whether an owner's or admin's computer tells the network that a household is here which one can ask to join, and a computer in no swarm looks for one.</source>
      <translation>Whether an owner's or admin's computer tells the network that a household is here which one can ask to join, and a computer in no swarm looks for one.</translation>
    </message>
    <message>
      <source>Whether somebody uses this computer cannot be known here.</source>
      <translation>Whether somebody uses this computer cannot be known here.</translation>
    </message>
    <message>
      <source>While a program fills the screen</source>
      <translation>While a program fills the screen</translation>
    </message>
    <message>
      <source>While somebody uses this computer</source>
      <translation>While somebody uses this computer</translation>
    </message>
    <message>
      <source>Who answered</source>
      <translation>Who answered</translation>
    </message>
    <message>
      <source>Who answers</source>
      <translation>Who answers</translation>
    </message>
    <message>
      <source>Who answers unless a chat or a request says otherwise: the household, or the local model.</source>
      <translation>Who answers unless a chat or a request says otherwise: the household, or the local model.</translation>
    </message>
    <message>
      <source>Who went on</source>
      <translation>Who went on</translation>
    </message>
    <message>
      <source>Without a chat for this long, the memory of the local model is given back.</source>
      <translation>Without a chat for this long, the memory of the local model is given back.</translation>
    </message>
    <message>
      <source>You are in {name} as: {role}.</source>
      <translation>You are in {name} as: {role}.</translation>
    </message>
    <message>
      <source>You edit an earlier message. The old one and its answer are kept.</source>
      <translation>You edit an earlier message. The old one and its answer are kept.</translation>
    </message>
    <message>
      <source>You get an invitation link for the others once it runs. Only who has one can join.</source>
      <translation>You get an invitation link for the others once it runs. Only who has one can join.</translation>
    </message>
    <message>
      <source>You may not do this. Ask an owner or admin of the household.</source>
      <translation>You may not do this. Ask an owner or admin of the household.</translation>
    </message>
    <message>
      <source>You stopped this answer.</source>
      <translation>You stopped this answer.</translation>
    </message>
    <message>
      <source>Your chats will be listed here.</source>
      <translation>Your chats will be listed here.</translation>
    </message>
    <message>
      <source>Your choice about contributing holds only until Homeswarm stops: it cannot be written. Free some space.</source>
      <translation>Your choice about contributing holds only until Homeswarm stops: it cannot be written. Free some space.</translation>
    </message>
    <message>
      <source>Your message</source>
      <translation>Your message</translation>
    </message>
    <message>
      <source>a computer</source>
      <translation>a computer</translation>
    </message>
    <message>
      <source>a part of Homeswarm is not running</source>
      <translation>a part of Homeswarm is not running</translation>
    </message>
    <message>
      <source>a program fills the screen</source>
      <translation>a program fills the screen</translation>
    </message>
    <message>
      <source>about {memory} of memory</source>
      <translation>about {memory} of memory</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens</source>
      <translation>about {used} of {all} tokens</translation>
    </message>
    <message>
      <source>about {used} of {all} tokens: too long</source>
      <translation>about {used} of {all} tokens: too long</translation>
    </message>
    <message>
      <source>admin</source>
      <translation>admin</translation>
    </message>
    <message numerus="yes">
      <source>after %n token(s)</source>
      <translation>
        <numerusform>after %n token</numerusform>
        <numerusform>after %n tokens</numerusform>
      </translation>
    </message>
    <message>
      <source>always</source>
      <translation>always</translation>
    </message>
    <message numerus="yes">
      <source>and %n more pause(s)</source>
      <translation>
        <numerusform>and %n more pause</numerusform>
        <numerusform>and %n more pauses</numerusform>
      </translation>
    </message>
    <message>
      <source>announces blocks that the model does not have</source>
      <translation>announces blocks that the model does not have</translation>
    </message>
    <message>
      <source>announces itself, but does not answer this computer</source>
      <translation>announces itself, but does not answer this computer</translation>
    </message>
    <message>
      <source>another computer has the same identity</source>
      <translation>another computer has the same identity</translation>
    </message>
    <message>
      <source>answering …</source>
      <translation>answering …</translation>
    </message>
    <message>
      <source>answers other computers, but not this one</source>
      <translation>answers other computers, but not this one</translation>
    </message>
    <message>
      <source>as in the settings</source>
      <translation>as in the settings</translation>
    </message>
    <message>
      <source>as long as it needs</source>
      <translation>as long as it needs</translation>
    </message>
    <message>
      <source>as the system</source>
      <translation>as the system</translation>
    </message>
    <message>
      <source>as you asked</source>
      <translation>as you asked</translation>
    </message>
    <message>
      <source>ask</source>
      <translation>ask</translation>
    </message>
    <message>
      <source>ask another one beside it</source>
      <translation>ask another one beside it</translation>
    </message>
    <message>
      <source>ask me</source>
      <translation>ask me</translation>
    </message>
    <message>
      <source>asleep</source>
      <translation>asleep</translation>
    </message>
    <message>
      <source>automatic</source>
      <translation>automatic</translation>
    </message>
    <message>
      <source>available</source>
      <translation>available</translation>
    </message>
    <message>
      <source>battery</source>
      <translation>battery</translation>
    </message>
    <message>
      <source>block {first}</source>
      <translation>block {first}</translation>
    </message>
    <message>
      <source>blocks {first} to {last}</source>
      <translation>blocks {first} to {last}</translation>
    </message>
    <message>
      <source>broke off the connection</source>
      <translation>broke off the connection</translation>
    </message>
    <message>
      <source>cannot be reached</source>
      <translation>cannot be reached</translation>
    </message>
    <message>
      <source>catching up</source>
      <translation>catching up</translation>
    </message>
    <message>
      <source>code</source>
      <translation>code</translation>
    </message>
    <message>
      <source>contributing is paused</source>
      <translation>contributing is paused</translation>
    </message>
    <message>
      <source>did not answer for {time}</source>
      <translation>did not answer for {time}</translation>
    </message>
    <message>
      <source>every block has a spare</source>
      <translation>every block has a spare</translation>
    </message>
    <message>
      <source>every block is served, some by one computer only</source>
      <translation>every block is served, some by one computer only</translation>
    </message>
    <message>
      <source>everything covered</source>
      <translation>everything covered</translation>
    </message>
    <message>
      <source>finding a way</source>
      <translation>finding a way</translation>
    </message>
    <message>
      <source>for tests</source>
      <translation>for tests</translation>
    </message>
    <message>
      <source>for the household</source>
      <translation>for the household</translation>
    </message>
    <message>
      <source>for this computer</source>
      <translation>for this computer</translation>
    </message>
    <message>
      <source>gives the others more time ({why})</source>
      <translation>gives the others more time ({why})</translation>
    </message>
    <message>
      <source>go gently</source>
      <translation>go gently</translation>
    </message>
    <message>
      <source>guest</source>
      <translation>guest</translation>
    </message>
    <message>
      <source>household</source>
      <translation>household</translation>
    </message>
    <message>
      <source>in a file</source>
      <translation>in a file</translation>
    </message>
    <message>
      <source>in one home</source>
      <translation>in one home</translation>
    </message>
    <message>
      <source>in the keyring</source>
      <translation>in the keyring</translation>
    </message>
    <message>
      <source>in use</source>
      <translation>in use</translation>
    </message>
    <message>
      <source>is being answered</source>
      <translation>is being answered</translation>
    </message>
    <message>
      <source>it has no model to share</source>
      <translation>it has no model to share</translation>
    </message>
    <message>
      <source>it is about to sleep</source>
      <translation>it is about to sleep</translation>
    </message>
    <message>
      <source>it is being stopped</source>
      <translation>it is being stopped</translation>
    </message>
    <message>
      <source>it is in no household</source>
      <translation>it is in no household</translation>
    </message>
    <message>
      <source>it is outside the times that you set</source>
      <translation>it is outside the times that you set</translation>
    </message>
    <message>
      <source>it is still looking for the others</source>
      <translation>it is still looking for the others</translation>
    </message>
    <message>
      <source>it is still starting</source>
      <translation>it is still starting</translation>
    </message>
    <message>
      <source>it is very busy</source>
      <translation>it is very busy</translation>
    </message>
    <message>
      <source>it just changed its network</source>
      <translation>it just changed its network</translation>
    </message>
    <message>
      <source>it just woke up</source>
      <translation>it just woke up</translation>
    </message>
    <message>
      <source>it was removed from its household</source>
      <translation>it was removed from its household</translation>
    </message>
    <message>
      <source>its keys cannot be read now</source>
      <translation>its keys cannot be read now</translation>
    </message>
    <message>
      <source>its membership is being checked</source>
      <translation>its membership is being checked</translation>
    </message>
    <message>
      <source>its own blocks are being loaded</source>
      <translation>its own blocks are being loaded</translation>
    </message>
    <message>
      <source>its own blocks are paused</source>
      <translation>its own blocks are paused</translation>
    </message>
    <message>
      <source>joining</source>
      <translation>joining</translation>
    </message>
    <message>
      <source>just now</source>
      <translation>just now</translation>
    </message>
    <message>
      <source>keep running in the tray</source>
      <translation>keep running in the tray</translation>
    </message>
    <message>
      <source>language-code</source>
      <translation>en</translation>
    </message>
    <message>
      <source>left</source>
      <translation>left</translation>
    </message>
    <message>
      <source>less than an hour left</source>
      <translation>less than an hour left</translation>
    </message>
    <message>
      <source>let this computer answer</source>
      <translation>let this computer answer</translation>
    </message>
    <message>
      <source>looking for the others …</source>
      <translation>looking for the others …</translation>
    </message>
    <message>
      <source>mains</source>
      <translation>mains</translation>
    </message>
    <message>
      <source>member</source>
      <translation>member</translation>
    </message>
    <message>
      <source>missing</source>
      <translation>missing</translation>
    </message>
    <message>
      <source>move away from it</source>
      <translation>move away from it</translation>
    </message>
    <message>
      <source>moved to another address</source>
      <translation>moved to another address</translation>
    </message>
    <message>
      <source>network {name}</source>
      <translation>network {name}</translation>
    </message>
    <message>
      <source>never</source>
      <translation>never</translation>
    </message>
    <message>
      <source>no</source>
      <translation>no</translation>
    </message>
    <message>
      <source>no difference</source>
      <translation>no difference</translation>
    </message>
    <message>
      <source>no other computer is there</source>
      <translation>no other computer is there</translation>
    </message>
    <message>
      <source>nobody</source>
      <translation>nobody</translation>
    </message>
    <message>
      <source>nobody answers it, so its own connection may be down</source>
      <translation>nobody answers it, so its own connection may be down</translation>
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation>nobody serves {blocks}</translation>
    </message>
    <message>
      <source>not shared with anybody</source>
      <translation>not shared with anybody</translation>
    </message>
    <message>
      <source>not sure</source>
      <translation>not sure</translation>
    </message>
    <message>
      <source>noticing</source>
      <translation>noticing</translation>
    </message>
    <message>
      <source>on</source>
      <translation>on</translation>
    </message>
    <message>
      <source>on battery</source>
      <translation>on battery</translation>
    </message>
    <message>
      <source>on mains power</source>
      <translation>on mains power</translation>
    </message>
    <message>
      <source>over the internet</source>
      <translation>over the internet</translation>
    </message>
    <message>
      <source>owner</source>
      <translation>owner</translation>
    </message>
    <message>
      <source>pause</source>
      <translation>pause</translation>
    </message>
    <message>
      <source>paused contributing</source>
      <translation>paused contributing</translation>
    </message>
    <message>
      <source>quit</source>
      <translation>quit</translation>
    </message>
    <message>
      <source>reading the question …</source>
      <translation>reading the question …</translation>
    </message>
    <message>
      <source>serves another model</source>
      <translation>serves another model</translation>
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation>serves {span} with {memory}</translation>
    </message>
    <message>
      <source>some blocks have no computer</source>
      <translation>some blocks have no computer</translation>
    </message>
    <message>
      <source>somebody uses this computer</source>
      <translation>somebody uses this computer</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>starting</translation>
    </message>
    <message>
      <source>stopped announcing itself</source>
      <translation>stopped announcing itself</translation>
    </message>
    <message>
      <source>stopped serving</source>
      <translation>stopped serving</translation>
    </message>
    <message>
      <source>takes {time} for a step</source>
      <translation>takes {time} for a step</translation>
    </message>
    <message>
      <source>text</source>
      <translation>text</translation>
    </message>
    <message>
      <source>the connection to {peer} broke</source>
      <translation>the connection to {peer} broke</translation>
    </message>
    <message>
      <source>the connection to {peer} was slow</source>
      <translation>the connection to {peer} was slow</translation>
    </message>
    <message>
      <source>the household</source>
      <translation>the household</translation>
    </message>
    <message>
      <source>the household could not go on</source>
      <translation>the household could not go on</translation>
    </message>
    <message>
      <source>the household gives {rate} tokens/s only</source>
      <translation>the household gives {rate} tokens/s only</translation>
    </message>
    <message>
      <source>the household has been back for {time} only</source>
      <translation>the household has been back for {time} only</translation>
    </message>
    <message>
      <source>the household was silent for {time}</source>
      <translation>the household was silent for {time}</translation>
    </message>
    <message>
      <source>the network is paid by volume</source>
      <translation>the network is paid by volume</translation>
    </message>
    <message>
      <source>the only model in the store</source>
      <translation>the only model in the store</translation>
    </message>
    <message>
      <source>the user's local models</source>
      <translation>the user's local models</translation>
    </message>
    <message>
      <source>the user's model store</source>
      <translation>the user's model store</translation>
    </message>
    <message>
      <source>this computer alone</source>
      <translation>this computer alone</translation>
    </message>
    <message>
      <source>this computer alone answers ({why}) …</source>
      <translation>this computer alone answers ({why}) …</translation>
    </message>
    <message>
      <source>this computer answers …</source>
      <translation>this computer answers …</translation>
    </message>
    <message>
      <source>this computer runs on battery</source>
      <translation>this computer runs on battery</translation>
    </message>
    <message>
      <source>this computer's name</source>
      <translation>this computer's name</translation>
    </message>
    <message>
      <source>unreachable</source>
      <translation>unreachable</translation>
    </message>
    <message>
      <source>wait for it</source>
      <translation>wait for it</translation>
    </message>
    <message>
      <source>wait for the household</source>
      <translation>wait for the household</translation>
    </message>
    <message>
      <source>was stopped</source>
      <translation>was stopped</translation>
    </message>
    <message>
      <source>what homeswarm local use chose</source>
      <translation>the one chosen above</translation>
    </message>
    <message>
      <source>wire</source>
      <translation>wire</translation>
    </message>
    <message>
      <source>wireless</source>
      <translation>wireless</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>yes</translation>
    </message>
    <message>
      <source>{model} answers on this computer.</source>
      <translation>{model} answers on this computer.</translation>
    </message>
    <message>
      <source>{model} is being made ready …</source>
      <translation>{model} is being made ready …</translation>
    </message>
    <message>
      <source>{moved}, where another kind of processor may choose other words</source>
      <translation>{moved}, where another kind of processor may choose other words</translation>
    </message>
    <message>
      <source>{names} answer together with {model}.</source>
      <translation>{names} answer together with {model}.</translation>
    </message>
    <message>
      <source>{names} asleep</source>
      <translation>{names} asleep</translation>
    </message>
    <message>
      <source>{names}: a newer version of Homeswarm; update this computer</source>
      <translation>{names}: a newer version of Homeswarm; update this computer</translation>
    </message>
    <message>
      <source>{names}: an older version of Homeswarm; update it there</source>
      <translation>{names}: an older version of Homeswarm; update it there</translation>
    </message>
    <message>
      <source>{names}: another version of Homeswarm; update the older one</source>
      <translation>{names}: another version of Homeswarm; update the older one</translation>
    </message>
    <message>
      <source>{names}: asleep</source>
      <translation>{names}: asleep</translation>
    </message>
    <message>
      <source>{names}: cannot be used</source>
      <translation>{names}: cannot be used</translation>
    </message>
    <message>
      <source>{names}: no answer</source>
      <translation>{names}: no answer</translation>
    </message>
    <message>
      <source>{names}: paused</source>
      <translation>{names}: paused</translation>
    </message>
    <message>
      <source>{names}: still loading</source>
      <translation>{names}: still loading</translation>
    </message>
    <message>
      <source>{names}: stopped</source>
      <translation>{names}: stopped</translation>
    </message>
    <message>
      <source>{name} can no longer use the household's model, on any computer.</source>
      <translation>{name} can no longer use the household's model, on any computer.</translation>
    </message>
    <message>
      <source>{name} cannot be read: {why}.</source>
      <translation>{name} cannot be read: {why}.</translation>
    </message>
    <message>
      <source>{name} cannot be written: {why}.</source>
      <translation>{name} cannot be written: {why}.</translation>
    </message>
    <message>
      <source>{name} does not answer any more.</source>
      <translation>{name} does not answer any more.</translation>
    </message>
    <message>
      <source>{name} is larger than {size}.</source>
      <translation>{name} is larger than {size}.</translation>
    </message>
    <message>
      <source>{name} is not a text file.</source>
      <translation>{name} is not a text file.</translation>
    </message>
    <message>
      <source>{name} is removed.</source>
      <translation>{name} is removed.</translation>
    </message>
    <message>
      <source>{name} is there.</source>
      <translation>{name} is there.</translation>
    </message>
    <message>
      <source>{name} wants to join. It must show {digits}.</source>
      <translation>{name} wants to join. It must show {digits}.</translation>
    </message>
    <message>
      <source>{name} went to sleep.</source>
      <translation>{name} went to sleep.</translation>
    </message>
    <message>
      <source>{name}: this cannot be entered here. {help}</source>
      <translation>{name}: this cannot be entered here. {help}</translation>
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation>{peer} could not go on</translation>
    </message>
    <message>
      <source>{peer} did not answer in time</source>
      <translation>{peer} did not answer in time</translation>
    </message>
    <message>
      <source>{peer} paused contributing</source>
      <translation>{peer} paused contributing</translation>
    </message>
    <message>
      <source>{peer} stopped answering</source>
      <translation>{peer} stopped answering</translation>
    </message>
    <message>
      <source>{peer} was slow to compute</source>
      <translation>{peer} was slow to compute</translation>
    </message>
    <message>
      <source>{peer} was stopped</source>
      <translation>{peer} was stopped</translation>
    </message>
    <message>
      <source>{peer} was too slow</source>
      <translation>{peer} was too slow</translation>
    </message>
    <message>
      <source>{peer} went to sleep</source>
      <translation>{peer} went to sleep</translation>
    </message>
    <message>
      <source>{rate} tokens/s</source>
      <translation>{rate} tokens/s</translation>
    </message>
    <message>
      <source>{what}; moved to {others} in {time}</source>
      <translation>{what}; moved to {others} in {time}</translation>
    </message>
    <message>
      <source>{what}; waited {time} for it</source>
      <translation>{what}; waited {time} for it</translation>
    </message>
    <message>
      <source>{why}; this computer went on alone in {time}</source>
      <translation>{why}; this computer went on alone in {time}</translation>
    </message>
  </context>
</TS>
