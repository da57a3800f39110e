// Counts what a person sees: words and controls of the topmost dialog or, without one, of the whole window. Left out is what an opened
// picture covers, what is hidden until it has the focus, and news that go by themselves. The pictures of a grid and of the filmstrip,
// the lines of the chargers, and choices side by side are one control each, as a list to select from is: one stop of the keyboard.
// `whole` counts what has to be scrolled to as well.
globalThis.countScreen = (whole) => {
  const { document, getComputedStyle, innerHeight, innerWidth, NodeFilter } = globalThis
  const root = [...document.querySelectorAll('dialog[open], [role=dialog]')].at(-1) ?? document.body
  const cuts = whole ? /hidden|clip/ : /hidden|clip|auto|scroll/
  const isSeen = (element, rect) => {
    if (element.closest('[inert], .toasts, .frame-skip:not(:focus-visible)') !== null) return false
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom]
    const cut = (by) => {
      left = Math.max(left, by.left)
      top = Math.max(top, by.top)
      right = Math.min(right, by.right)
      bottom = Math.min(bottom, by.bottom)
    }
    if (!whole) cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })
    for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement)
      if (cuts.test(getComputedStyle(at).overflow)) cut(at.getBoundingClientRect())
    return right - left > 2 && bottom - top > 2
  }
  const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const words = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { parentElement, data } = texts.currentNode
    if (wordsOf(data).length === 0 || parentElement.closest('option, script, style, textarea') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    if ([...range.getClientRects()].some((rect) => isSeen(parentElement, rect))) words.push(...wordsOf(data))
  }
  const seen = (selector) =>
    [...root.querySelectorAll(selector)].filter((element) => isSeen(element, element.getBoundingClientRect()))
  for (const field of seen('input:not([type=checkbox], [type=radio], [type=range], [type=color]), textarea'))
    words.push(...wordsOf(field.value || field.placeholder))
  for (const select of seen('select')) words.push(...wordsOf(select.selectedOptions[0]?.text ?? ''))
  const roles = 'button link checkbox radio switch slider combobox option tab menuitem spinbutton'
  const controls = roles.split(' ').map((role) => `[role=${role}]`)
  // The labels of a row of choices are seen, and their fields are not.
  const tags = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '.segmented > label']
  const found = seen([...tags, ...controls].join())
  const partOf = (element) =>
    element.closest('.filmstrip, .segmented, .chargers-list') ?? element.closest('.jobs-line')?.closest('[role=grid]')
  const lists = new Set(found.map((element) => partOf(element) ?? element))
  return { words, controls: [...lists].map((element) => element.ariaLabel || element.textContent || element.className) }
}
