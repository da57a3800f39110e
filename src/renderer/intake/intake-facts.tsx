import { t } from 'i18next'
import type { IntakePreview, Price } from '../../shared/contract/intake.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { RefusedUpload } from '../bridge/connection.ts'
import { FileName } from '../parts/file-name.tsx'
import { sentenceIn } from '../store/error-text.ts'
import { listText, sizeText } from '../text/figures.ts'
import './intake.css'

export function IntakeFacts({ preview, notUploaded = 0 }: { preview: IntakePreview; notUploaded?: number }) {
  const { pictures, totalBytes, toSend, free, done, nothingToDo, estimated } = preview
  const refused = preview.refused + notUploaded
  const about = (count: number) => (estimated ? t('intake:about', { count }) : count)
  const parts = Object.entries({ done, nothingToDo, refused, free: toSend === 0 ? 0 : free } as const)
  return (
    <p className="figures">
      {pictures === 1 ? null : `${t('jobs:count', { count: pictures })} `}
      <span className="secondary">
        {[
          sizeText(totalBytes),
          ...parts
            .filter(([, figure]) => figure > 0)
            .map(([part, figure]) => t(`intake:facts.${part as Part}`, { shown: about(figure) })),
        ].join(' · ')}
      </span>
    </p>
  )
}

type Part = 'free' | 'done' | 'nothingToDo' | 'refused'

interface Line {
  name: string
  about: string
}

/** Folded: the expected names for a few pictures, what cannot be taken in and why, and the folders that are left out. */
export function IntakeNames({
  preview: { examples, refusals, refused, foreign },
  notUploaded = [],
}: {
  preview: Pick<IntakePreview, 'examples' | 'refusals' | 'refused' | 'foreign'>
  notUploaded?: readonly RefusedUpload[]
}) {
  const more = refused - refusals.length
  const { count, first } = foreign
  return (
    <details className="intake-names">
      <summary>{t('intake:names')}</summary>
      <Lines lines={examples.map(({ source, outputs }) => ({ name: source, about: listText(outputs) }))} />
      <Lines
        lines={[
          ...refusals.map(({ name, reason }) => ({ name, about: t(`reasons:reason.${reason.code}.short`) })),
          ...notUploaded.map(({ name, why }) => ({ name, about: sentenceIn(why) })),
        ]}
      />
      {more > 0 ? <p className="secondary">{t('common:andMore', { count: more })}</p> : null}
      {count === 0 ? null : (
        <p className="secondary">
          {t('intake:foreign', { count, names: listText(count > first.length ? [...first, '…'] : first) })}
        </p>
      )}
    </details>
  )
}

export function Lines({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <ul className="intake-lines">
      {lines.map(({ name, about }, n) => (
        <li key={n} className="intake-line">
          <FileName name={name} />
          <bdi className="secondary">{straightText(about)}</bdi>
        </li>
      ))}
    </ul>
  )
}

export function PreviewProgress({ preview: { pictures, progress } }: { preview: IntakePreview }) {
  if (progress === null) return null
  const { inspected, of } = progress
  return (
    <div className="stack tight">
      <p className="secondary figures">
        {of === null
          ? t('intake:found', { count: pictures })
          : t('intake:inspected', { count: of, shown: inspected, total: of })}
      </p>
      <progress
        className="progress"
        {...(of === null ? {} : { value: inspected, max: Math.max(1, of) })}
        aria-label={t('intake:checking')}
      />
    </div>
  )
}

export function PriceLine({ price }: { price: Omit<Price, 'images'> }) {
  const { required, balance, shortfall, atMost } = price
  const credits = t('frame:balance.credits', { count: required })
  return (
    <p className="price stack tight figures">
      <strong>{t(atMost ? 'intake:price.atMost' : 'intake:price.about', { credits })}</strong>{' '}
      <span className="secondary">
        {shortfall > 0
          ? t('intake:price.balance', { balance })
          : t('intake:price.left', { balance, left: balance - required })}
      </span>
    </p>
  )
}
