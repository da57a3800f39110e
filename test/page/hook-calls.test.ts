import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hookCalls } from '../../src/shared/contract/hooks.ts'
import type { PageCall } from '../../src/shared/contract/calls.ts'
import type { HookBoxes, HookQuestion } from '../../src/shared/runtime/ports.ts'
import { webShellPort } from '../../src/main/web/web-shell-port.ts'
import { AppWorld } from './app-harness.ts'

/** A person before the boxes of the system, who chooses and agrees as told. */
class Person implements HookBoxes {
  chooses: string | null = null
  agrees: () => Promise<boolean> = () => Promise.resolve(true)
  readonly asked: HookQuestion[] = []
  readonly secrets: string[] = []

  pickProgram = () => Promise.resolve(this.chooses)
  confirm = (hook: HookQuestion) => {
    this.asked.push(hook)
    return this.agrees()
  }
  confirmRenewal = () => this.agrees()
  showSecret = async (secret: string) => {
    this.secrets.push(secret)
  }
}

let world: AppWorld
let person: Person
beforeEach(async () => {
  world = await AppWorld.open({ hooks: 'stored' })
  person = new Person()
  world.shell.hooks = person
  world.shell.capabilities.add('hooks')
})
afterEach(() => world.close())

function program(name: string, script: string): string {
  const path = join(world.dir, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function pick(path: string): Promise<string> {
  person.chooses = path
  return (await world.ask('hooks.pickProgram', {})).program!.token
}

const when = { on: 'done' as const }
const list = async () => (await world.ask('hooks.list', {})).hooks
const save = async (path: string, args: string[] = [], id: string | null = null) =>
  world.ask('hooks.save', { id, when, target: { kind: 'program', program: await pick(path), args } })

async function sentence(channel: PageCall, request: unknown): Promise<string> {
  const result = await world.app.host.call(channel, request)
  if (result.ok) return 'it was done'
  return 'code' in result.error.sentence ? result.error.sentence.code : 'raw'
}

describe('A page in a browser', () => {
  it('is refused every call about hooks, and is shown no section for them', async () => {
    await world.app.stop(0)
    await world.start({ shell: webShellPort, hooks: null })
    expect(world.state?.app.capabilities).not.toContain('hooks')
    const target = { kind: 'address', url: 'https://example.org/' }
    for (const name of Object.keys(hookCalls) as PageCall[])
      expect(await sentence(name, { id: name === 'hooks.save' ? null : 'x', when, target }), name).toBe('desktop_only')
  })

  it('is refused even where boxes of the system could be shown, before anything is asked', async () => {
    world.shell.capabilities.delete('hooks')
    const target = { kind: 'address', url: 'https://example.org/' }
    expect(await sentence('hooks.save', { id: null, when, target })).toBe('desktop_only')
    expect(person.asked).toEqual([])
  })
})

describe('The window of the desktop app', () => {
  it('stores what a person chose and agreed to, after a box showed all of it', async () => {
    const tell = program('tell', 'exit 0')
    person.agrees = () => Promise.resolve(false)
    expect(await save(tell, ['a b', ''])).toEqual({ saved: false })
    expect(await list()).toEqual([])
    person.agrees = () => Promise.resolve(true)
    expect(await save(tell, ['a b', ''])).toEqual({ saved: true })
    const target = { kind: 'program', file: tell, args: ['a b', ''] }
    expect(person.asked).toEqual([
      { on: 'done', below: null, target },
      { on: 'done', below: null, target },
    ])
    const [hook] = await list()
    expect(hook).toMatchObject({ when, target, last: null })
    // The program stays when the hook is changed, and that is asked about as well.
    const changed = { id: hook!.id, when: { on: 'low_credits' as const, below: 50 } }
    await world.ask('hooks.save', { ...changed, target: { kind: 'program', program: null, args: ['c'] } })
    expect(person.asked.at(-1)).toEqual({ on: 'low_credits', below: 50, target: { ...target, args: ['c'] } })
    expect(await list()).toMatchObject([{ ...changed, target: { ...target, args: ['c'] } }])
    await world.ask('hooks.remove', { id: hook!.id })
    expect(await list()).toEqual([])
    expect(await sentence('hooks.try', { id: hook!.id })).toBe('hook_gone')
  })

  it('can name no program itself, and none that cannot be run or is too long to be shown', async () => {
    const file = join(world.pictures, 'a.jpg')
    writeFileSync(file, '')
    world.shell.toPick = [file]
    const [place] = (await world.ask('places.pick', { kind: 'files' })).places
    const token = await pick(program('tell', 'exit 0'))
    const target = (one: string | null, args: string[] = []) => ({
      id: null,
      when,
      target: { kind: 'program', program: one, args },
    })
    for (const one of [place!.token, join(world.dir, 'tell'), null])
      expect(await sentence('hooks.save', target(one))).toBe('hook_program_unknown')
    expect(await sentence('hooks.save', target(token, ['x'.repeat(700), 'y'.repeat(700)]))).toBe(
      'hook_too_long_command',
    )
    expect(await sentence('hooks.save', target(token, ['a\0b']))).toBe('hook_nul')
    person.chooses = file
    expect(await sentence('hooks.pickProgram', {})).toBe('hook_not_program')
    expect(person.asked).toEqual([])
    expect(await list()).toEqual([])
  })

  it.each([
    ['http://example.org/', 'hook_address_unencrypted'],
    ['https://me:secret@example.org/', 'hook_address_password'],
    ['file:///etc/passwd', 'hook_no_address'],
    ['example.org', 'hook_no_address'],
  ])('cannot have %s posted to', async (url, why) => {
    expect(await sentence('hooks.save', { id: null, when, target: { kind: 'address', url } })).toBe(why)
    expect(person.asked).toEqual([])
  })

  it('opens one box at a time', async () => {
    const answers: ((agreed: boolean) => void)[] = []
    person.agrees = () => new Promise((answer) => answers.push(answer))
    const first = save(program('tell', 'exit 0'))
    await world.until('it is asked', () => person.asked.length === 1)
    const target = { kind: 'address', url: 'https://example.org/' }
    expect(await sentence('hooks.save', { id: null, when, target })).toBe('hook_box_open')
    expect(await sentence('hooks.renewSecret', {})).toBe('hook_box_open')
    expect(await sentence('hooks.pickProgram', {})).toBe('hook_box_open')
    answers[0]!(false)
    expect(await first).toEqual({ saved: false })
    expect(person.asked).toHaveLength(1)
  })

  it('never gets the secret, which is shown with the first address and when it is renewed', async () => {
    const address = (url: string) => world.ask('hooks.save', { id: null, when, target: { kind: 'address', url } })
    expect((await world.ask('hooks.list', {})).secret).toMatchObject({ present: false, setAtMs: null })
    // What is stored may post at once.
    const storedThen: number[] = []
    person.showSecret = async (secret) => {
      person.secrets.push(secret)
      storedThen.push((await list()).length)
    }
    const answers = [await address('https://example.org/1'), await address('https://example.org/2')]
    expect(storedThen).toEqual([0])
    const { secret } = await world.ask('hooks.list', {})
    expect(secret.present).toBe(true)
    const renewed = await world.ask('hooks.renewSecret', {})
    expect(new Set(person.secrets).size).toBe(2)
    const seen = JSON.stringify([answers, renewed, secret, await list(), world.messages])
    for (const one of person.secrets) expect(seen).not.toContain(one)
  })

  it('runs a trial, and keeps how it ended over a restart', async () => {
    const told = join(world.dir, 'told')
    await save(program('tell', `cat > '${told}'; exit 9`))
    const { id } = (await list())[0]!
    const why = { code: 'hook_exit', values: { status: '9' } }
    expect(await world.ask('hooks.try', { id })).toEqual({ why })
    expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({ event: 'done', trial: true, folder: null })
    await world.app.stop(0)
    await world.start({ hooks: 'stored' })
    expect(await list()).toMatchObject([{ id, last: { why, isTrial: true } }])
  })

  it('is told once that a hook fails, and again only after it worked', async () => {
    const [told, broken] = [join(world.dir, 'told'), join(world.dir, 'broken')]
    await save(program('tell', `cat >> '${told}'; test ! -e '${broken}'`))
    const notices = () =>
      world.messages.flatMap((message) =>
        message.type === 'delta' ? message.notices.filter(({ kind }) => kind === 'hook_failed') : [],
      )
    let runs = 0
    const run = async () => {
      await world.ask('intake.samples', {})
      runs += 1
      await world.until('it ran', async () => existsSync(told) && readFileSync(told, 'utf8').split('\n').length > runs)
      const failed = existsSync(broken)
      await world.until('its end is noted', async () => {
        const { last } = (await list())[0]!
        return last !== null && (last.why !== null) === failed
      })
    }
    await run()
    expect(notices()).toEqual([])
    writeFileSync(broken, '')
    await run()
    await world.until('it is said', () => notices().length === 1)
    expect(notices()).toMatchObject([{ hook: 'tell' }])
  })
})
