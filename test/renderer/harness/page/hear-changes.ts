/** Runs in the page, so it stands alone: keeps in `spoken` what is put into its live regions from now on. */
export function hearChanges(): void {
  const spoken: string[] = []
  Object.assign(globalThis, { spoken })
  const isLive = (node: Node) => {
    const part = node instanceof Element ? node : node.parentElement
    const region = part?.closest('[role=status], [role=alert], [role=log], [aria-live]') ?? null
    return region !== null && region.getAttribute('aria-live') !== 'off'
  }
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const words = (node.textContent ?? '').trim()
        if (isLive(node) && words !== '') spoken.push(words)
      }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}
