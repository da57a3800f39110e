import { AppError } from '../../shared/errors.ts'
import type { Engine } from '../engine.ts'

/** What the service writes when nothing is asked for (image service document, "Endpoints"), so it need not be looked up. */
const DEFAULT_LANGUAGE = 'en'

/**
 * Checks languages against `GET /languages`, which is free and kept for a day. Throws `bad_request` for one that the
 * service does not write. When the list cannot be had the work goes on: the service itself will say.
 */
export async function checkLanguages(engine: Pick<Engine, 'call'>, languages: readonly string[]): Promise<void> {
  if (languages.every((code) => code === DEFAULT_LANGUAGE)) return
  const result = await engine.call('languages.list', {})
  if (!result.ok || result.value.languages.length === 0) return
  const known = new Set(result.value.languages.map(({ code }) => code.toLowerCase()))
  const wrong = languages.filter((code) => !known.has(code))
  if (wrong.length > 0)
    throw new AppError(
      'bad_request',
      `The service does not write ${wrong.join(', ')}. It knows: ${[...known].sort().join(', ')}.`,
    )
}
