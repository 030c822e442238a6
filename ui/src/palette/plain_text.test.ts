import { expect, it } from "vitest";
import { plainText } from "./plain_text";

it.each([
  ["A **drawbridge** is a *bascule*, see `wordkit.py`.", "A drawbridge is a bascule, see wordkit.py."],
  ["## What it does - one - two", "What it does - one - two"],
  ["See [the guide](https://example.org/a_b) and ![a picture](x.png)", "See the guide and a picture"],
  ["| part | job | | --- | :--: | | leaf | lifts |", "part job leaf lifts"],
  ["```python print(1) ```", "print(1)"],
  ["2 * 3 * 4, a_b_c, __init__.py, ls | wc -l, *.py", "2 * 3 * 4, a_b_c, __init__.py, ls | wc -l, *.py"],
])("%s", (line, words) => {
  expect(plainText(line)).toBe(words);
});

it("takes no time over a line of marks alone", () => {
  for (const mark of ["*", "**", "_", "`", "[", "| ", "|---"]) plainText(mark.repeat(20_000));
}, 1_000);
