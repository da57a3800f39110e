import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { openLog, type Log, type LogOptions } from '../../src/main/log/log.ts'
import { folderForTest } from '../temp-folder.ts'

const CANARY = 'canary"7f3a\\9c51+e2/key='
const clock = { nowMs: () => Date.UTC(2026, 10, 21, 12, 34, 56) }

function openCollecting(options: Partial<LogOptions> = {}): { log: Log; lines: string[] } {
  const lines: string[] = []
  const log = openLog({ target: { kind: 'lines', write: (line) => lines.push(line) }, clock, ...options })
  return { log, lines }
}

interface Line {
  time: string
  level: string
  message: string
  facts?: Record<string, unknown>
}

function parsed(lines: string[]): Line[] {
  return lines.map((line) => JSON.parse(line) as Line)
}

function logged(message: string, facts?: Record<string, unknown>): Line {
  const { log, lines } = openCollecting()
  log.info(message, facts)
  return parsed(lines)[0]!
}

describe('a log line', () => {
  it('is one JSON object with time, level, message and facts', () => {
    const { log, lines } = openCollecting()
    log.warn('the service is slow', { job: 'J1', waitMs: 1500, again: true })
    expect(lines[0]).toMatch(/\n$/)
    expect(parsed(lines)).toEqual([
      {
        time: '2026-11-21T12:34:56.000Z',
        level: 'warn',
        message: 'the service is slow',
        facts: { job: 'J1', waitMs: 1500, again: true },
      },
    ])
  })

  it('for programs cannot steer the terminal that shows the file, and says all the same what was there', () => {
    const { log, lines } = openCollecting()
    log.warn('cannot read\u009b2J', { file: 'a\u009b31m\u202egpj.png', other: 'ESC \u001b[2J' })
    expect(lines[0]).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u)
    expect(parsed(lines)[0]).toMatchObject({ facts: { file: 'a\u009b31m\u202egpj.png' } })
  })

  it('for people is short and cannot steer a terminal', () => {
    const { log, lines } = openCollecting({ human: true })
    log.error('bad name \u001b[31m\u202egnp', { file: 'a\u001b]0;x\u0007.png' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^12:34:56 error bad name /)
    expect(lines[0]!.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})

describe('a key', () => {
  it('that was registered never appears, wherever it is put and however it is encoded', () => {
    const forms = [
      CANARY,
      encodeURIComponent(CANARY),
      Buffer.from(CANARY).toString('base64'),
      Buffer.from(CANARY).toString('hex'),
    ]
    for (const human of [false, true]) {
      const { log, lines } = openCollecting({ human })
      log.hideSecret(CANARY)
      for (const form of forms) {
        log.error(`the answer was ${form}!`, {
          note: `x${form}x`,
          deep: { list: [{ [form]: form }] },
          path: `/pictures/${form}`,
          failure: new Error(`refused ${form}`, { cause: new Error(form) }),
        })
      }
      const all = lines.join('')
      for (const form of [...forms, JSON.stringify(CANARY).slice(1, -1)]) expect(all).not.toContain(form)
      expect(all).toContain('[key]')
    }
  })

  it('that was registered never appears in any text (seed printed by fast-check)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (before, after) => {
        const { log, lines } = openCollecting()
        log.hideSecret(CANARY)
        log.info(before + CANARY + after, { fact: `${before}${CANARY}${after}` })
        expect(lines.join('')).not.toContain(CANARY)
        expect(lines.join('')).not.toContain(JSON.stringify(CANARY).slice(1, -1))
      }),
    )
  })

  it.each([
    'Authorization: Bearer sk_live_123456',
    'authorization: sk_live_123456',
    '{"Authorization":"Bearer sk_live_123456"}',
    'X-API-Key: sk_live_123456',
    '{"x-api-key": "sk_live_123456"}',
    'sent with api_key=sk_live_123456&page=2',
    'https://user:sk_live_123456@example.org/a',
    'https://example.org/a?token=sk_live_123456',
    'Set-Cookie: sk_live_123456; Path=/',
  ])('that nobody registered is taken out of "%s"', (message) => {
    expect(JSON.stringify(logged(message, { message: message }))).not.toContain('sk_live')
  })

  it('is hidden under a name that says what it is', () => {
    const facts = {
      headers: { Authorization: 'abc' },
      apiKey: 'abc',
      token: ['abc'],
      nested: { password: 'abc' },
      key: 'abc',
    }
    expect(logged('x', facts).facts).toEqual({
      headers: '[left out]',
      apiKey: '[key]',
      token: '[key]',
      nested: { password: '[key]' },
      key: '[key]',
    })
  })
})

describe('a path', () => {
  it.each([
    ['/home/ann/My Pictures/photo one.jpg', 'photo one.jpg'],
    ['C:\\Users\\Ann\\My Pictures\\photo.jpg', 'photo.jpg'],
    ['\\\\nas\\share\\photo.jpg', 'photo.jpg'],
    ['file:///home/ann/photo.jpg', 'photo.jpg'],
    ['/home/ann/Pictures/', 'Pictures'],
  ])('as a fact is only its base name: %s', (place, expected) => {
    expect(logged('x', { place }).facts).toEqual({ place: expected })
  })

  it.each([
    ["ENOENT: no such file, open '/home/ann/My Pictures/a b.jpg'", "ENOENT: no such file, open 'a b.jpg'"],
    ['taken in: /home/ann/a.jpg, then waiting', 'taken in: a.jpg, then waiting'],
    ['moved C:\\Users\\Ann\\a.jpg away', 'moved a.jpg away'],
    ['type image/png from https://example.org/api/v1/jobs', 'type image/png from https://example.org/api/v1/jobs'],
    ['done 3/5', 'done 3/5'],
  ])('in a message is only its base name: %s', (message, expected) => {
    expect(logged(message).message).toBe(expected)
  })

  it('of a real file error is only its base name, apostrophes and spaces included', async () => {
    const place = "/nowhere/ann's own (2026)/it's here.jpg"
    const failure: unknown = await readFile(place).catch((error: unknown) => error)
    const { facts } = logged('cannot read', { failure })
    expect(facts?.['failure']).toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining("it's here.jpg") as string,
    })
    expect(JSON.stringify(facts)).not.toContain('ann')
    expect(JSON.stringify(facts)).not.toContain('/nowhere')
  })
})

it('content is never logged: bytes, bodies and long texts', () => {
  const { facts } = logged('x', { body: '<html>', picture: Buffer.from('secret bytes'), long: 'word '.repeat(1000) })
  expect(facts).toMatchObject({ body: '[left out]', picture: '[12 bytes]' })
  expect((facts!['long'] as string).length).toBeLessThan(700)
})

describe('the log file', () => {
  let folder = ''
  beforeEach(() => {
    folder = path.join(folderForTest(), 'logs')
  })

  const fill = (log: Log, count: number): void => {
    for (let index = 0; index < count; index += 1) log.info(`line ${index}`)
  }

  it('takes no line after it was closed, when the folder may belong to another process', async () => {
    const log = openLog({ target: { kind: 'file', folder }, clock })
    log.info('stopped')
    log.close()
    log.info('late')
    await rm(folder, { recursive: true })
    log.info('later')
    expect(await stat(folder).catch(() => null)).toBe(null)
  })

  it('is readable by its user only', async () => {
    const log = openLog({ target: { kind: 'file', folder }, clock })
    fill(log, 1)
    log.close()
    expect((await stat(path.join(folder, 'hangar.log'))).mode & 0o077).toBe(0)
  })

  it('stays within its size and number, and keeps the newest lines whole and in order', async () => {
    const log = openLog({ target: { kind: 'file', folder, maxBytes: 1000, maxFiles: 3 }, clock })
    fill(log, 200)
    log.close()
    const names = (await readdir(folder)).sort()
    expect(names).toEqual(['hangar.1.log', 'hangar.2.log', 'hangar.log'])
    const texts = await Promise.all(
      ['hangar.2.log', 'hangar.1.log', 'hangar.log'].map((name) => readFile(path.join(folder, name), 'utf8')),
    )
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(1000)
    const messages = parsed(texts.join('').trimEnd().split('\n')).map((line) => line.message)
    expect(messages).toEqual(
      Array.from({ length: messages.length }, (_, index) => `line ${200 - messages.length + index}`),
    )
  })

  it('goes on where an earlier process stopped', async () => {
    for (const message of ['one', 'two']) {
      const log = openLog({ target: { kind: 'file', folder }, clock })
      log.info(message)
      log.close()
    }
    const text = await readFile(path.join(folder, 'hangar.log'), 'utf8')
    expect(parsed(text.trimEnd().split('\n')).map((line) => line.message)).toEqual(['one', 'two'])
  })

  it('that cannot be written stops nothing, and is written again once it can be', async () => {
    await writeFile(folder, 'a file where the folder should be')
    const log = openLog({ target: { kind: 'file', folder }, clock })
    log.info('lost')
    await rm(folder)
    log.info('kept')
    log.close()
    expect(await readFile(path.join(folder, 'hangar.log'), 'utf8')).toContain('kept')
  })
})
