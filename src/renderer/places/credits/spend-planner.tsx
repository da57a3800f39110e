import { useState, type CSSProperties } from 'react'
import { t } from 'i18next'
import type { PageResponse } from '../../../shared/contract/calls.ts'
import type { ConvertFormat } from '../../../shared/recipes/recipe.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { errorText } from '../../store/error-text.ts'
import { countText } from '../../text/figures.ts'
import { SelectField, TextField } from '../../parts/field.tsx'

const MAX_IMAGES = 1_000_000
/** Each request uses a slot of the rate budget, so it waits until typing pauses. */
const PAUSE_MS = 500

/** Folded at first. The service's price for images × languages × format (image service document, `GET /credits/afford`). */
export function SpendPlanner() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="credits-part stack" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{t('credits:planner')}</h2>
      </summary>
      {isOpen ? <Plan /> : null}
    </details>
  )
}

function Plan() {
  const [images, setImages] = useState('100')
  const [languages, setLanguages] = useState('1')
  const [format, setFormat] = useState<ConvertFormat>('webp')
  const count = /^\d+$/.test(images) ? Number(images) : 0
  const isRight = count >= 1 && count <= MAX_IMAGES
  const question = isRight ? { images: count, languages: Number(languages), format } : null
  const { value, error, isBusy } = useAnswer('credits.afford', question, PAUSE_MS)
  const answer = isBusy ? null : value
  return (
    <div className="stack">
      <div className="columns" style={{ '--least': '120px', '--most': '180px' } as CSSProperties}>
        <TextField
          label={t('credits:images')}
          inputMode="numeric"
          value={images}
          onChange={(event) => setImages(event.target.value.trim())}
          error={isRight ? null : t('credits:imagesRange')}
        />
        <SelectField
          label={t('credits:languages')}
          value={languages}
          onChange={setLanguages}
          choices={Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: String(n + 1) }))}
        />
        <SelectField
          label={t('credits:format')}
          value={format}
          onChange={setFormat}
          choices={[
            { value: 'webp', label: 'WebP' },
            { value: 'avif', label: 'AVIF' },
          ]}
        />
      </div>
      <div aria-live="polite">
        {isBusy || error === null ? null : <p className="field-error">{errorText(error)}</p>}
        {answer === null ? null : <Answer answer={answer} />}
      </div>
    </div>
  )
}

function Answer({ answer }: { answer: PageResponse<'credits.afford'> }) {
  return (
    <>
      <dl className="credits-facts figures">
        <div>
          <dt className="caption">{t('credits:required')}</dt>
          <dd>{t('frame:balance.credits', { count: answer.required })}</dd>
        </div>
        <div>
          <dt className="caption">{answer.shortfall > 0 ? t('credits:shortfall') : t('credits:left')}</dt>
          <dd>{countText(answer.shortfall > 0 ? answer.shortfall : answer.balance - answer.required)}</dd>
        </div>
      </dl>
      {answer.shortfall > 0 ? <p className="is-failed">{t('credits:missing', { count: answer.shortfall })}</p> : null}
    </>
  )
}
