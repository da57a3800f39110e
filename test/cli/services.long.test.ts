import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { itWith, programs } from '../needs.ts'
import { childEnvironment } from '../child-environment.ts'
import { CLI, contentOf, jsonLines, runCli } from './harness.ts'
import { practice, startPracticeForAll } from './for-all-tests.ts'
import { folderForAll } from '../temp-folder.ts'

startPracticeForAll({ credits: 77 })

const at = () => ['--data-dir', folderForAll()]

describe.concurrent('hangar credits', () => {
  it('tells the balance', async () => {
    const { code, stdout } = await runCli(['credits', ...at()], { env: practice.env })
    expect([code, stdout]).toEqual([0, '77 credits\n'])
  })

  it('tells what a batch costs, added up beyond 100, and ends with 4 when there is not enough', async () => {
    const args = ['credits', '--images', '250', '--languages', 'en,de', '--format', 'avif', '--json', ...at()]
    const { code, stdout } = await runCli(args, { env: practice.env })
    expect(code).toBe(4)
    expect(jsonLines(stdout)).toEqual([
      {
        event: 'credits',
        balance: 77,
        images: 250,
        languages: 2,
        format: 'avif',
        required: 1250,
        shortfall: 1173,
        canAfford: false,
      },
    ])
  })
})

describe.concurrent('hangar languages', () => {
  it('lists the languages without a key', async () => {
    const args = ['languages', '--json', '--service-url', practice.imageBaseUrl, ...at()]
    const { code, stdout } = await runCli(args)
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toContainEqual({ event: 'language', code: 'de', name: 'German', nativeName: 'Deutsch' })
  })

  it('completes an address that lacks /api/v1, and says so', async () => {
    const { code, stderr } = await runCli(['languages', '--service-url', practice.chargerBaseUrl, ...at()])
    expect([code, stderr]).toEqual([0, `The address was completed to ${practice.imageBaseUrl}.\n`])
  })
})

describe.concurrent('hangar chargers', () => {
  const chargerEnv = (token = practice.partnerToken) => ({
    HANGAR_CHARGER_URL: practice.chargerBaseUrl,
    HANGAR_CHARGER_TOKEN: token,
  })

  it('prints one JSON array of what fits the filters, in any spelling, and nothing else', async () => {
    interface Listed {
      id: number
      icao: string
      connectors: string[]
      kw: string | null
      type: string
      liveState: string | null
      available: boolean
    }
    const list = async (...args: string[]) => {
      const command = ['chargers', '--format', 'json', ...args, ...at()]
      const { code, stdout } = await runCli(command, { env: chargerEnv() })
      expect([code, stdout.trimEnd().includes('\n')]).toEqual([0, false])
      return JSON.parse(stdout) as Listed[]
    }
    const all = await list()
    const names = ['--connector', 'ccs 2', '--connector', 'gb/t-dc']
    const named = all.filter(({ icao, connectors }) => icao.startsWith('ED') && /CCS2|GB\/T DC/.test(connectors.join()))
    const ids = (chargers: Listed[]) => chargers.map(({ id }) => id)
    expect(ids(await list('--country', 'ED', ...names))).toEqual(ids(named))
    const free = all.filter(({ liveState, available }) => (liveState === null ? available : liveState === 'available'))
    const strong = free.filter(({ kw, type }) => (kw === '65.0' || kw === '320') && type.includes('DC'))
    expect(strong.length).toBeGreaterThan(0)
    expect(ids(await list('--free', '--min-kw', '65', '--dc'))).toEqual(ids(strong))
    // Some of the sample are open day and night, and at any time of the week some others are not.
    expect((await list('--open')).length).toBeLessThan(all.length)
  })

  it('ends with 3 without a service or with a wrong token', async () => {
    for (const env of [{}, chargerEnv('wrong-token')])
      expect((await runCli(['chargers', ...at()], { env })).code).toBe(3)
  })

  it('shows sample data with --practice, and says that it is', async () => {
    const { code, stdout } = await runCli(['chargers', '--practice', ...at()])
    expect([code, stdout]).toEqual([0, expect.stringContaining('not for navigation')])
  })
})

describe('hangar key', () => {
  const CANARY = 'canary-4f1d-key-that-must-not-be-seen'

  it('ends with 3 and writes nothing down when there is no keychain to keep a key in', async () => {
    const data = folderForAll()
    const args = ['key', 'set', 'image', '--service-url', practice.imageBaseUrl, '--data-dir', data]
    const { code, stdout, stderr } = await runCli(args, { input: CANARY })
    expect(code).toBe(3)
    expect(stderr).toContain('HANGAR_API_KEY_FILE')
    expect(stdout + stderr).not.toContain(CANARY)
    for (const name of Object.keys(await contentOf(data)))
      expect((await readFile(join(data, name))).includes(CANARY)).toBe(false)
  })

  it('takes no key as an argument', async () => {
    const args = ['key', 'set', 'image', CANARY, '--service-url', practice.imageBaseUrl]
    const { code } = await runCli([...args, ...at()])
    expect(code).toBe(2)
  })

  itWith(programs('dbus-run-session', 'gnome-keyring-daemon'))(
    'keeps a key from standard input in the keychain with its address, and deletes it',
    async () => {
      const home = folderForAll()
      const data = folderForAll()
      const cli = `"${process.execPath}" "${CLI}"`
      const script = `
        mkdir -p "$HOME/.cache" "$HOME/.local/share"
        printf 'password\\n' | gnome-keyring-daemon --components=secrets --unlock >/dev/null 2>&1
        echo wrong-key-wrong-key | ${cli} key set image --service-url "$SERVICE" 2>&1; echo "refused $?"
        ${cli} key status image --service-url "$SERVICE" >/dev/null; echo "status $?"
        echo wrong-key-wrong-key | ${cli} key set image --service-url "$SERVICE" --keep-refused --json; echo "kept $?"
        echo some-key-some-key | ${cli} key set image --service-url "$NOWHERE" --json; echo "unchecked $?"
        printf '%s\\n' "$CANARY" | ${cli} key set image --service-url "\${SERVICE%/api/v1}/" --json && echo "set $?"
        ${cli} credits
        ${cli} key status image --json
        ${cli} key delete image >/dev/null && echo "deleted $?"
        ${cli} credits 2>/dev/null || echo "credits $?"`
      const services = { SERVICE: practice.imageBaseUrl, NOWHERE: 'http://127.0.0.1:9/api/v1' }
      const { stdout } = await promisify(execFile)('dbus-run-session', ['--', 'sh', '-c', script], {
        env: { ...childEnvironment(), HOME: home, HANGAR_DATA_DIR: data, ...services, CANARY: practice.apiKey },
      })
      const said = stdout.trimEnd().split('\n')
      expect(said[0]).toMatch(/refused the key of the image service, so it was not stored.*--keep-refused/)
      expect(said.slice(1, 3)).toEqual(['refused 3', 'status 3'])
      expect(JSON.parse(said[3]!)).toMatchObject({ event: 'key', present: true, place: 'keychain', check: 'refused' })
      expect(said[4]).toBe('kept 0')
      expect(JSON.parse(said[5]!)).toMatchObject({ event: 'key', present: true, check: 'unchecked' })
      expect(said[6]).toBe('unchecked 0')
      expect(JSON.parse(said[7]!)).toMatchObject({ event: 'key', present: true, check: 'accepted' })
      expect(said.slice(8, 10)).toEqual(['set 0', '77 credits'])
      const kept = { event: 'key', name: 'image', present: true, place: 'keychain', lasting: true }
      expect(JSON.parse(said[10]!)).toMatchObject(kept)
      expect(said.slice(11)).toEqual(['deleted 0', 'credits 3'])
      for (const name of Object.keys(await contentOf(data)))
        expect((await readFile(join(data, name))).includes(practice.apiKey)).toBe(false)
    },
  )
})
