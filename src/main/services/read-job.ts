import { HIDDEN } from '../core/hide-secret.ts'
import { isUsableId } from '../core/usable-id.ts'
import { z } from 'zod'
import { Translation } from '../../shared/jobs/job.ts'
import { takenText } from '../../shared/text/safe-characters.ts'
import type { RemoteImage, RemoteJob } from '../core/image-service.ts'

/** Which values the sizes have before a job has ended is not shown. */
const text = z.string().nullable().catch(null)
const figure = z.number().nullable().catch(null)

/** A ULID by the document; any text that is safe in a path is accepted. */
export const RemoteId = z.string().refine(isUsableId)

const WireTranslation = z.object({ language_code: text, seo_filename: text, seo_alt_text: text }).nullable().catch(null)

const WireImage = z
  .object({
    id: RemoteId.nullable().catch(null),
    original_size: figure,
    optimized_size: figure,
    converted_format: text,
    converted_size: figure,
    compression_percentage: figure,
    translations: z.array(WireTranslation).catch([]),
  })
  .transform((image): RemoteImage => ({
    id: image.id,
    originalSize: image.original_size,
    optimizedSize: image.optimized_size,
    convertedFormat: image.converted_format,
    convertedSize: image.converted_size,
    compressionPercentage: image.compression_percentage,
    translations: image.translations.flatMap(readTranslation),
  }))

export const RemoteJobAnswer = z
  .object({ data: z.object({ job_id: RemoteId, status: z.string(), image: WireImage.nullable().catch(null) }) })
  .transform(({ data }): RemoteJob => ({ jobId: data.job_id, status: data.status, image: data.image }))

const limits = Translation.shape

function readTranslation(wire: z.infer<typeof WireTranslation>): Translation[] {
  if (wire === null) return []
  const name = (wire.seo_filename ?? '').trim()
  const seoFilename = name.includes(HIDDEN) ? '' : name.slice(0, limits.seoFilename.maxLength ?? undefined).trim()
  const altText = (wire.seo_alt_text ?? '').replace(/\p{Cc}+/gu, ' ').trim()
  const seoAltText = takenText(altText.slice(0, limits.seoAltText.maxLength ?? undefined))
  const parsed = Translation.safeParse({ languageCode: wire.language_code, seoFilename, seoAltText })
  const empty = seoFilename === '' && seoAltText === ''
  return parsed.success && parsed.data.languageCode !== '' && !empty ? [parsed.data] : []
}
