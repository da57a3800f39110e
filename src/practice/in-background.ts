import { Background } from '../shared/runtime/background.ts'

const say = (message: string, facts?: Record<string, unknown>): void => {
  process.stderr.write(`practice service: ${message} ${JSON.stringify(facts ?? {})}\n`)
}

const background = new Background<string>({ log: { error: say, info: say }, nowMs: () => Date.now() })

/** Starts work that is not awaited; failures are reported on stderr, and the service keeps running. */
export function inBackground(task: string, work: () => unknown): void {
  background.run(task, work)
}
