import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAX_SIDECAR_BYTES } from '../../src/shared/jobs/sidecar.ts'
import type { HttpPort } from '../../src/shared/runtime/ports.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { readSidecarFile } from '../../src/main/files/sidecar-file.ts'
import { createHttp } from '../../src/main/services/http.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** Answers about jobs come with 12,000 texts more than asked for, and every text with a second one of its language. */
function talkative(): HttpPort {
  const http = createHttp({ clock: realClock, version: 'test' })
  return {
    ...http,
    async request(request) {
      const outcome = await http.request(request)
      if (outcome.kind !== 'response' || !request.url.includes('/jobs/')) return outcome
      const answer = JSON.parse(new TextDecoder().decode(outcome.body)) as {
        data: { image: { translations: object[] } | null }
      }
      const { image } = answer.data
      if (image !== null && image.translations.length > 0)
        image.translations = [
          ...Array.from({ length: 12_000 }, (_, n) => ({
            language_code: `x${n}`,
            seo_filename: 'a',
            seo_alt_text: 'words',
          })),
          ...image.translations,
          ...image.translations,
        ]
      return { ...outcome, body: new TextEncoder().encode(JSON.stringify(answer)) }
    },
  }
}

it('texts that nobody asked for are left out, and what is written is known again', async () => {
  await world.addPicture('a.jpg', 1)
  const [job] = await runToEnd(await world.engine(world.newDataFolder(), { http: talkative() }), [world.pictures])
  expect(job?.result?.translations.map(({ languageCode }) => languageCode)).toEqual(RECIPE.languages)
  const path = join(world.pictures, 'a.jpg.alt.json')
  expect((await stat(path)).size).toBeLessThan(MAX_SIDECAR_BYTES)
  expect((await readSidecarFile(path))?.translations.map(({ languageCode }) => languageCode)).toEqual(RECIPE.languages)
  const names = await readdir(world.pictures)
  const elsewhere = await world.engine(world.newDataFolder(), { http: talkative() })
  await runToEnd(elsewhere, [world.pictures])
  expect(world.charges).toHaveLength(1)
  expect(await readdir(world.pictures)).toEqual(names)
})
