// The start of the operator's page, which a relay serves.
import { render } from "solid-js/web";
import { pickLanguage, setLanguage } from "../src/i18n/texts";
import { Operator } from "../src/operator/operator";
import "../src/theme/base.css";

const chosen = pickLanguage(navigator.languages);
setLanguage(chosen);
document.documentElement.lang = chosen;
const root = document.getElementById("app");
if (root) render(() => <Operator />, root);
