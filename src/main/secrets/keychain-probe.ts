/**
 * A program of its own, which reports by its exit code whether the keychain is usable: a locked one can hang a call for ever, and a
 * process with such a call cannot exit, so this one is killed. It writes, because a locked keychain answers reads with "nothing there".
 */
import process from 'node:process'
import { KEYCHAIN_SERVICE, loadKeychain, type Keychain } from './keychain-store.ts'
import { ASKING, PROBE_EXIT_CODES, type ProbeOutcome } from './probe-keychain.ts'

const PROBE_ACCOUNT = 'probe'
/** Nothing else ends this process when its parent is gone. */
const GIVE_UP_MS = 15_000

setTimeout(() => process.kill(process.pid, 'SIGKILL'), GIVE_UP_MS).unref()

// Said outright: a utility process of Electron does not end because nothing is left to do.
process.exit(PROBE_EXIT_CODES[await probe()])

async function probe(): Promise<ProbeOutcome> {
  let keychain: Keychain
  try {
    keychain = await loadKeychain()
  } catch {
    return 'not_loadable'
  }
  sayAsking()
  try {
    await keychain.setPassword(KEYCHAIN_SERVICE, PROBE_ACCOUNT, 'not a key: tells whether the keychain is open')
    await keychain.deletePassword(KEYCHAIN_SERVICE, PROBE_ACCOUNT)
    return 'usable'
  } catch (error) {
    return /locked/i.test(String(error)) ? 'locked' : 'no_service'
  }
}

/** Electron's utility process has a port for this, a forked Node process has `process` itself. */
function sayAsking(): void {
  const { parentPort } = process as unknown as { parentPort?: { postMessage(message: unknown): void } }
  if (parentPort === undefined) process.send?.(ASKING)
  else parentPort.postMessage(ASKING)
}
