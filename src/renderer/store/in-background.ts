import { Background } from '../../shared/background.ts'

/** The window's own: what fails in it is in the console, and said over the content. */
export const background = new Background<string>({
  log: {
    error: (message, facts) => console.error(message, facts),
    info: (message, facts) => console.info(message, facts),
  },
  nowMs: () => Date.now(),
})

/** Starts work that nobody awaits; `task` is its name in the console. */
export function inBackground(task: string, work: () => unknown): void {
  background.run(task, work)
}
