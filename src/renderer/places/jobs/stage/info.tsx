import type { ReactNode } from 'react'
import i18next, { t } from 'i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import type { HistoryLine } from '../../../../shared/contract/texts.ts'
import { noteSentence, shortText, type ReasonTexts } from '../../../../shared/sentences/reason-sentences.ts'
import { PathText } from '../../../parts/path-text.tsx'
import { useNow } from '../../../parts/use-now.ts'
import { recipeName } from '../../../recipe/recipe-name.ts'
import { countText, exactTimeText, relativeText, sizeText } from '../../../text/figures.ts'
import { reasonTexts } from '../../../text/reason-texts.ts'
import { Files } from './files.tsx'

/** What is seldom looked at: in place of the texts, while a person wants it. */
export function Info({ detail }: { detail: JobDetail }) {
  const texts = reasonTexts()
  return (
    <div className="stage-scroll stack loose" role="group" aria-label={t('frame:shortcuts.info')}>
      <Part title={t('detail:outputs.title')}>
        <PathText path={detail.row.dir} whole={detail.row.dir} className="caption" />
        <Files detail={detail} />
      </Part>
      {detail.notes.length === 0 ? null : (
        <Part title={t('detail:notes')}>
          <ul className="notes stack tight">
            {detail.notes.map((note, n) => (
              <li key={n} dir="auto">
                {noteSentence(texts, note, i18next.language)}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t('detail:facts.title')}>
        <Facts detail={detail} />
      </Part>
      {detail.history.length === 0 ? null : (
        <Part title={t('detail:history')}>
          <History lines={detail.history} />
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack snug">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Facts({ detail }: { detail: JobDetail }) {
  const { recipe, service, image, figures } = detail
  const picture =
    image === null
      ? null
      : [
          `${image.type.toUpperCase()}, ${countText(image.width)} × ${countText(image.height)}`,
          image.animated ? t('detail:facts.animated') : '',
        ]
  return (
    <dl className="facts breaks">
      <Fact name={t('detail:facts.recipe')} value={recipeName(recipe.name)} />
      <Fact name={t('detail:facts.service')} value={service.practice ? t('detail:facts.practice') : service.id} />
      {picture === null ? null : (
        <Fact name={t('detail:facts.picture')} value={picture.filter((part) => part !== '').join(', ')} />
      )}
      {figures?.sizeBytes == null ? null : (
        <Fact
          name={t('detail:facts.figures')}
          value={t('detail:facts.figuresOnly', {
            format: (figures.format ?? '').toUpperCase(),
            size: sizeText(figures.sizeBytes),
          })}
        />
      )}
    </dl>
  )
}

function Fact({ name, value: given }: { name: string; value: string }) {
  const value = straightText(given)
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto" title={value}>
        {value}
      </dd>
    </>
  )
}

function History({ lines }: { lines: readonly HistoryLine[] }) {
  const texts = reasonTexts()
  const nowMs = useNow()
  return (
    <ol className="history stack tight">
      {lines.toReversed().map(({ atMs, event, reason }, n) => (
        <li key={lines.length - n}>
          <time className="caption figures" dateTime={new Date(atMs).toISOString()} title={exactTimeText(atMs)}>
            {relativeText(Math.min(atMs, nowMs), nowMs)}
          </time>
          <span>
            {eventText(texts, event)}
            {reason === null ? null : <span className="secondary"> {shortText(texts, reason)}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** A later version may have recorded events that this one does not know. */
function eventText({ event: words }: ReasonTexts, event: string): string {
  return Object.hasOwn(words, event) ? words[event as keyof typeof words] : event
}
