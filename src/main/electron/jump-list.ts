import type { App } from 'electron'
import type { Texts } from '../page/texts.ts'

interface JumpListDeps {
  app: Pick<App, 'setUserTasks'>
  platform: NodeJS.Platform
  /** The program that a task starts: this one, which hands over to the one that runs. */
  program: string
  texts: Texts
}

/** What the menu of Hangar's button in the taskbar offers on Windows, in this language: places, and pausing. */
export function setupJumpList({ app, platform, program, texts }: JumpListDeps, paused: boolean): void {
  if (platform !== 'win32') return
  const task = (title: string, args: string) => ({
    program,
    arguments: args,
    title,
    description: title,
    iconPath: program,
    iconIndex: 0,
  })
  const places = ['jobs', 'folders', 'chargers'].map((name) => task(texts.text(`menu.${name}`), `--show ${name}`))
  const pausing = paused ? task(texts.text('menu.resume'), '--resume') : task(texts.text('menu.pause'), '--pause')
  app.setUserTasks([...places, pausing])
}
