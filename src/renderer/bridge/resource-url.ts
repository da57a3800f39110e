import { withSecret } from '../../shared/contract/page-bridge.ts'

/** Null in the desktop window, where addresses need none. */
let secret: string | null = null

export function setAddressSecret(derived: string): void {
  secret = derived
}

/** The URL at which the shell serves this path to this page. */
export function resourceUrl(path: string): string {
  return withSecret(path, secret)
}
