// run.mjs PROGRAM SITE [PYTHON]: the pages in a real browser, that of pliant view and the gallery, and the digests of the
// gallery's core. "-" in the place of either leaves its tests out. PLIANT_BROWSER_TEST=WORDS: those whose name has
// these words. PLIANT_BROWSER_PICTURES=FOLDER: keeps what was seen.
import fs from "node:fs";
import { Browser, findBrowser } from "./browser.mjs";
import { testDigests, testGallery } from "./gallery.mjs";
import { Suite } from "./suite.mjs";
import { testView } from "./view.mjs";

const [program, site, python] = process.argv.slice(2);
const suite = new Suite(), found = findBrowser(), made = fs.existsSync(`${site}/pliant.wasm`);
const gallery = { program, site, python }, browser = found && new Browser(found);

try {
    if (!browser) suite.skip("tests of pages", "no chromium here (scripts/setup.sh browser)");
    else if (program === "-") suite.skip("the page of pliant view", "no program with a page");
    else await testView(suite, browser, program, found);
    if (!made) suite.skip("the gallery", "it was not made (make web)");
    if (made && browser) await testGallery(suite, browser, gallery);
    if (made) await testDigests(suite, browser, gallery);
} finally {
    await browser?.close();
}
suite.end();
