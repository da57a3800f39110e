import { create } from 'zustand'

/**
 * What keeps this page from working until it is loaded again.
 * - updated: the shell behind it is of another version now, and the files of this one are gone
 * - part_missing: a part that is loaded later did not come
 * - failed: something that the page started failed, and nothing awaited it
 */
type PageTrouble = 'updated' | 'part_missing' | 'failed'

const RANK: readonly PageTrouble[] = ['failed', 'part_missing', 'updated']

/** The trouble that explains most; null while there is none. */
export const usePageTrouble = create<{ trouble: PageTrouble | null }>(() => ({ trouble: null }))

function note(found: PageTrouble): void {
  const { trouble } = usePageTrouble.getState()
  if (trouble === null || RANK.indexOf(found) > RANK.indexOf(trouble)) usePageTrouble.setState({ trouble: found })
}

globalThis.addEventListener?.('unhandledrejection', () => note('failed'))
// Vite reports every failed `import()` of ours here.
globalThis.addEventListener?.('vite:preloadError', partMissing)

/** A part of the page did not load: the page has to be reloaded. */
export function partMissing(): void {
  note('part_missing')
}

/** A person goes on without what failed, which may be needed no more. */
export function dismissFailure(): void {
  usePageTrouble.setState({ trouble: null })
}

let firstVersion: string | null = null

/** Call with the shell's version from each snapshot: after a restart it may differ from the one that served this page. */
export function noteVersion(version: string): void {
  firstVersion ??= version
  if (version !== firstVersion) note('updated')
}
