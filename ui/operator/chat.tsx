// The start of the demo's chat, which a relay serves.
import { render } from "solid-js/web";
import { Chat } from "../src/chat/chat";
import { pickLanguage, setLanguage } from "../src/i18n/texts";
import "../src/theme/base.css";

const chosen = pickLanguage(navigator.languages);
setLanguage(chosen);
document.documentElement.lang = chosen;
const root = document.getElementById("app");
if (root) render(() => <Chat />, root);
