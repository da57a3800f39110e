import { inView } from '../../shared/contract/page-bridge.ts'

let secret: string | null = null

/** What this page derived for its server. */
export function setView(view: string): void {
  secret = view
}

/** The address at which the shell serves this path to this page. */
export function viewed(path: string): string {
  return inView(path, secret)
}
