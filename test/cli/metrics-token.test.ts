import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { metricsTokenOf } from '../../src/main/cli/serve.ts'
import type { Cli } from '../../src/main/cli/command.ts'
import { takeEnvironmentKeys } from '../../src/main/secrets/take-environment-keys.ts'
import { folderForAll } from '../temp-folder.ts'

const TOKEN = '0123456789abcdef'
const TOO_SHORT = 'A token for /metrics has at least 16 characters'

const folder = folderForAll()
beforeAll(async () => {
  await writeFile(join(folder, 'good'), `${TOKEN}\n`, { mode: 0o600 })
  await writeFile(join(folder, 'short'), 'x\n', { mode: 0o600 })
})

/** The token with this environment, in which `DIR` is the folder of the files. */
function tokenWith(variables: Record<string, string>, file?: string): Promise<string | null> {
  const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replace('DIR', folder)]))
  const keys = takeEnvironmentKeys(env)
  const cli = { cwd: folder, env, keys: () => keys, terminal: { err: () => undefined } } as unknown as Cli
  return metricsTokenOf(cli, file)
}

it('comes from the flag before the environment, and is none where neither is set', async () => {
  expect(await tokenWith({})).toBeNull()
  expect(await tokenWith({ HANGAR_METRICS_TOKEN: ` ${TOKEN} ` })).toBe(TOKEN)
  expect(await tokenWith({ HANGAR_METRICS_TOKEN_FILE: 'DIR/good' })).toBe(TOKEN)
  expect(await tokenWith({ HANGAR_METRICS_TOKEN: 'x' }, 'good')).toBe(TOKEN)
})

it.each<[string, Record<string, string>, string | undefined, string]>([
  ['one character', { HANGAR_METRICS_TOKEN: 'x' }, undefined, TOO_SHORT],
  ['15 characters', { HANGAR_METRICS_TOKEN: TOKEN.slice(1) }, undefined, TOO_SHORT],
  ['a space inside', { HANGAR_METRICS_TOKEN: `${TOKEN} ${TOKEN}` }, undefined, 'HANGAR_METRICS_TOKEN'],
  ['a file that is not there', { HANGAR_METRICS_TOKEN_FILE: 'DIR/none' }, undefined, 'cannot be read (ENOENT)'],
  ['a file of one character', { HANGAR_METRICS_TOKEN_FILE: 'DIR/short' }, undefined, TOO_SHORT],
  ['a short one by the flag', {}, 'short', TOO_SHORT],
  ['both', { HANGAR_METRICS_TOKEN: TOKEN, HANGAR_METRICS_TOKEN_FILE: 'DIR/good' }, undefined, 'Set only one of them.'],
])('is not taken: %s', async (_what, variables, file, message) => {
  await expect(tokenWith(variables, file)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(message) as string,
  })
})

it('stops no other command where it is none', async () => {
  const { keys } = await takeEnvironmentKeys({ HANGAR_METRICS_TOKEN: `${TOKEN} ${TOKEN}`, HANGAR_API_KEY: 'a-key' })
  expect(keys).toEqual({ image: 'a-key' })
})
