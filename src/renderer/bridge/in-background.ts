import { Background } from '../../shared/runtime/background.ts'

/** The window's background tasks: failures go to the console and are shown over the content. */
export const background = new Background<string>({
  log: {
    error: (message, facts) => console.error(message, facts),
    info: (message, facts) => console.info(message, facts),
  },
  nowMs: () => Date.now(),
})

/** Starts work that is not awaited; `task` is its name in the console. */
export function inBackground(task: string, work: () => unknown): void {
  background.run(task, work)
}
