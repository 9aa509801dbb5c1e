<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>homeswarm</name>
    <message>
      <source> and </source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>%n block(s) missing</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n computer(s)</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s)</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conversation(s) of others and own now</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n day(s) ago</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) ago</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s) left</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s) ago</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%n token(s)</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message>
      <source>&amp;Instruction for the model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Link</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Longest answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Repeatable, with this seed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Temperature</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>(this computer)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>, then </source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>0 always takes the likeliest word; higher is more varied.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A computer has no memory left for this conversation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A computer is about to sleep. Ask again: another way is taken.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A computer is gone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A computer refused its part of the work.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A computer stopped answering in the middle. Ask again: another way is taken.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A file of the model is damaged. Import it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A message takes at most {count} files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A node is already running with this profile.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A part of Homeswarm is not running. The household page says what happened.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Address</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Address of a peer to join the household by; give several for safety. None founds a household.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Address on which other computers reach this one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>After that</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>An invitation begins with {start}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>An update is needed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Another computer uses the same identity. Only one of them can take part.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Another program uses the port of the local API.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Answer again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask something …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Asleep: {names}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Attach text files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Attention cache for the conversations of the whole household on this computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Between two tokens, 95 % of the time below</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Between two tokens, half of the time below</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Blocks are missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Blocks of the model and who serves them</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cache tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel the invitation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose “Just chat on this computer”, or update Homeswarm.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Chooses among the likeliest words that together have this probability.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close the window</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Code, {language}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compute threads for each child process; 0 chooses.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Computers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Context tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Contribute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Contributing is paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy the token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy this answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy this code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy this message</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete a chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete this chat? It cannot be brought back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Do not contribute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Do not edit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Door port</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Earlier version</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Edit this message and send it again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Everything is covered again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export as JSON …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export as Markdown …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export this chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exported to {name}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fallback</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files of the model are missing or cut short. Import it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder of the local models.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder of the model store.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For example: You are a patient teacher. Answer briefly.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Getting ready …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on contributing when the app has quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Good night</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Have a second computer keep up with each of your answers, so that a loss costs no replay. Your answers then take twice the memory and twice the work of the household; homeswarm status shows the price in memory before you switch it on.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hide this notice</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Home</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Homeswarm can stay ready in the tray.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Homeswarm cannot run this kind of model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Homeswarm is not running</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Homeswarm is not running on this computer yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Homeswarm's node is not running on this computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How much of the model's memory the conversation takes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How soon a silent computer is given up: home_lan within about a second, for computers of one home; over_internet within about three, for lines that lose packets; test is for tests on one computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How this answer came about</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Instruction and sampling of this chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Invitation link</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Invite a computer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Join</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Join a household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Join with a link</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Joining the household …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Just chat on this computer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep awake</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep local</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep running</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody else's; closing the lid is still obeyed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Language (after the next start)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Later version</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave the household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Length</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Link</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Listen</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Local API</source>
      <translation type="unfinished" />
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
      <translation type="unfinished" />
    </message>
    <message>
      <source>Members</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Min speed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name of the &amp;household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name of the household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name of this &amp;computer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New chat (Ctrl+N)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No answer has been given yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nobody</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nobody serves blocks yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing found.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One moment</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open Homeswarm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open invitation for: {role}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other programs on this computer can use the model through it, as through OpenAI's.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Paste the link, or scan its QR code with a phone and send the text of it to this computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pasted text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pauses</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Port</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Port at which other computers ask to join; 0 keeps the one it had, at first a free one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Port of the local API, on this computer only; 0 takes a free one (api.json in the profile has it).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Port on which other computers reach this one; 0 takes a free one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prefer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Preparing the model …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Question and history</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quit Homeswarm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remember this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove a member</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename this chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Round trip</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on this computer alone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saved.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saved. The node starts anew.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search all chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Secrets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Send</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Serves {span}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings of this chat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show all of this message</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show everything</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Silence of the household in an answer after which the local model takes over.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Some blocks have no computer now. Wake one that holds them, or start another.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Somebody asks to join</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Somebody in your household has sent you an invitation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Something went wrong ({code}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Something went wrong inside the node. Its log has the details.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Span</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Standby</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Start</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Start a household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Start when I log in</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Starting …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>State</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop the answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Swarm port</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Takeover ms</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tell when a computer goes to sleep or is lost</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>That did not work.</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>The %n oldest message(s) no longer fitted and were left out.</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message>
      <source>The answer being given goes through {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The answer did not begin.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The answer reached its longest allowed length.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The answer was cut off when Homeswarm ended.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The blocks to serve to the household: START:END (END not included), auto to choose what the household lacks most, or none to only chat.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The chats' part of Homeswarm does not run.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The computer is busy with other answers. Try again in a moment.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The computers of your household run one language model together. Nothing leaves your home.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The conversation does not fit the model's memory. Shorten the message or start a new chat.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The disk is full. Free some space; what you wrote is not lost.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The download failed. Start it again: it goes on where it stopped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The file with the chats cannot be used.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The folder of the profile cannot be used.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The household can answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The household cannot answer until they are back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The import could not be started.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The import failed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyring is locked, so this computer cannot prove who it is. Unlock it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The latest answer went through {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The membership is being checked …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model on this computer that answers when the household cannot (see `homeswarm local list`).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model to run, by its name or id in the store (see `homeswarm model list`).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node ended without a word.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node has ended: {why}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node is not running.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node of this version cannot found or join a private swarm yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node of this version does not know members and invitations yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node refused this.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The node said something that this window does not understand.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The request makes no sense to the node.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This app</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This chat is not there any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer can come back only with a new invitation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer in the household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer is in no household yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer only chats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer serves a part of the model to your household while Homeswarm runs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer was removed from {name}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer, {model}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This computer: {facts}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is an open swarm on this computer, without members and invitations.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is the first computer. Invite the others afterwards.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This model is not on this computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Threads</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Times</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>To the first word</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Together</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Token</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tokens per second: where the household is slower, the local model answers. 0 is never too slow.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Top &amp;p</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try it out with a small model. You can start or join a household later.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Welcome to Homeswarm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What the model can keep in mind at once. When it is full, the oldest messages are left out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What this computer is called in the household.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What would you like to know?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What your answers do about a computer that is late but lives: wait for it; hedge, which starts another one beside it and takes whichever is first; or reroute, which moves away once the wait has cost as much as the move. Hedging costs the others a little work, and you nothing when the guess was wrong.</source>
      <translation type="unfinished" />
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
      <translation type="unfinished" />
    </message>
    <message>
      <source>Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only you can read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Who answered</source>
      <translation type="unfinished" />
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
      <translation type="unfinished" />
    </message>
    <message>
      <source>You edit an earlier message. The old one and its answer are kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You get an invitation link for the others once it runs. Only who has one can join.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You stopped this answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your chats will be listed here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your message</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a computer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about {used} of {all} tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about {used} of {all} tokens: too long</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>admin</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>after {count} tokens</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>and %n more pause(s)</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message>
      <source>answering …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>as long as it needs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>as the system</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ask</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>asleep</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>available</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>block {first}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>blocks {first} to {last}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>catching up</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>contributing is paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>every block has a spare</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>every block is served, some by one computer only</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>everything covered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>finding a way</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>guest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>is being answered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>joining</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>just now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>keep running in the tray</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>language-code</source>
      <translation>de</translation>
    </message>
    <message>
      <source>left</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>looking for the others …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>member</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>milliseconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>network {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nobody</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nobody serves {blocks}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not sure</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>noticing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on battery</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on mains power</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>owner</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>reading the question …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>serves {span} with {memory}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the connection to {peer} broke</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the connection to {peer} was slow</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the household</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>this computer alone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>unreachable</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{model} answers on this computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{model} is being made ready …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{model}, {count} blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{names} answer together with {model}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{names} asleep</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} can no longer use the household's model, on any computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} cannot be read: {why}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} cannot be written: {why}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} does not answer any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is larger than {size}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is not a text file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} wants to join. It must show {digits}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} went to sleep.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{peer} could not go on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{peer} stopped answering</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{peer} was slow to compute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{peer} was stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{peer} was too slow</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{peer} went to sleep</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{rate} tokens/s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{what}; moved to {others} in {time}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{what}; waited {time} for it</source>
      <translation type="unfinished" />
    </message>
  </context>
</TS>
