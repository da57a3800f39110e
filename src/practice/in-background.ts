import { Background } from '../shared/background.ts'

const say = (message: string, facts?: Record<string, unknown>): void => {
  process.stderr.write(`practice service: ${message} ${JSON.stringify(facts ?? {})}\n`)
}

const background = new Background<string>({ log: { error: say, info: say }, nowMs: () => Date.now() })

/** Starts work that nobody awaits; what fails is said on stderr, and the service goes on. */
export function inBackground(task: string, work: () => unknown): void {
  background.run(task, work)
}
