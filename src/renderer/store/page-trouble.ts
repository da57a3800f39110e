import { create } from 'zustand'

/**
 * What keeps this page from working until it is loaded again.
 * - updated: the shell behind it is of another version now, and the files of this one are gone
 * - part_missing: a part that is loaded later did not come
 * - failed: something that the page started failed, and nothing awaited it
 */
type PageTrouble = 'updated' | 'part_missing' | 'failed'

const useTroubles = create<{ updated: boolean; partMissing: boolean; failed: boolean }>(() => ({
  updated: false,
  partMissing: false,
  failed: false,
}))

globalThis.addEventListener?.('unhandledrejection', () => useTroubles.setState({ failed: true }))
// Vite reports every failed `import()` of ours here.
globalThis.addEventListener?.('vite:preloadError', partMissing)

/** A part of the page did not load: the page has to be reloaded. */
export function partMissing(): void {
  useTroubles.setState({ partMissing: true })
}

let firstVersion: string | null = null

/** Call with the shell's version from each snapshot: after a restart it may differ from the one that served this page. */
export function noteVersion(version: string): void {
  firstVersion ??= version
  if (version !== firstVersion) useTroubles.setState({ updated: true })
}

/** The trouble that explains most; null while there is none. */
export function usePageTrouble(): PageTrouble | null {
  return useTroubles(({ updated, partMissing: isMissing, failed }) =>
    updated ? 'updated' : isMissing ? 'part_missing' : failed ? 'failed' : null,
  )
}
