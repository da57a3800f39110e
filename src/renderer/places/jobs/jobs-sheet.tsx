import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { listText } from '../../../shared/text/list-text.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { useOnPaper } from '../../parts/use-on-paper.ts'
import { PRINTED_LINES, rowCache, useJobs } from '../../store/jobs-store.ts'
import { changeText, countText, exactTimeText, sizeText } from '../../text/figures.ts'
import type { JobsIndex } from '../../store/jobs-index.ts'
import { inOneLine, stateTexts, useLineWords, type LineWords } from './line-words.ts'
import { sectionName } from './section-line.tsx'
import '../../parts/paper.css'
import './jobs-sheet.css'

/** The list of jobs on paper: every line, not only those on the screen. */
export default function JobsSheet() {
  const isOnPaper = useOnPaper()
  const index = useJobs((state) => state.index)
  return isOnPaper && index !== null ? createPortal(<Sheet index={index} />, document.body) : null
}

function Sheet({ index }: { index: JobsIndex }) {
  const { t } = useTranslation(['jobs', 'common'])
  const words = useLineWords()
  const [nowMs] = useState(Date.now)
  const { filter, groupBy } = useJobs.getState()
  const { language } = words
  const figure = (count: number) => countText(count, language)
  const names = filter.states?.map((state) => words.t(`reasons:state.${state}`))
  const chip = filter.chip === 'all' ? '' : t(`chip.${filter.chip}`)
  const only = names === undefined ? chip : t('onlyStates', { states: listText(names, language) })
  const lines = Array.from({ length: Math.min(index.itemCount, PRINTED_LINES) }, (_, item) => index.itemAt(item))
  const rows = lines.map((line) => (line?.kind === 'job' ? rowCache.get(line.id) : null))
  const lacking = lines.filter((line, n) => line?.kind === 'job' && rows[n] === null).length
  return (
    <section className="paper jobs-sheet">
      <h1>{t('common:places.jobs')}</h1>
      <p>
        {[t('count', { count: index.jobCount, figure: figure(index.jobCount) }), only, straightText(filter.search)]
          .concat(exactTimeText(nowMs, language))
          .filter(Boolean)
          .join(' · ')}
      </p>
      {index.itemCount > PRINTED_LINES ? (
        <p>{t('paper.first', { shown: figure(PRINTED_LINES), figure: figure(index.itemCount) })}</p>
      ) : null}
      {lacking > 0 ? <p>{t('paper.lacking', { figure: figure(lacking) })}</p> : null}
      <table>
        <thead>
          <tr>
            {(['name', 'state', 'size', 'languages', 'changed'] as const).map((column) => (
              <th key={column}>{t(`column.${column}`)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, n) => {
            const row = rows[n]
            if (line?.kind === 'section')
              return (
                <tr key={`#${line.section.key}`}>
                  <th colSpan={5}>
                    <bdi>{sectionName({ ...line.section, groupBy }, words)}</bdi> ·{' '}
                    {t('count', { count: line.section.count, figure: figure(line.section.count) })}
                  </th>
                </tr>
              )
            return row == null ? null : <Line key={row.id} row={row} words={words} />
          })}
        </tbody>
      </table>
    </section>
  )
}

function Line({ row, words }: { row: JobRow; words: LineWords }) {
  const { t, language } = words
  const { state, beside, said, others } = stateTexts(row, words)
  const before = sizeText(row.sizeBytes, language)
  const bytes = row.optimizedBytes ?? row.convertedBytes
  const change = bytes === null ? null : changeText(row.sizeBytes, bytes, language)
  const review = row.review === 'needed' ? t('toReview') : row.review === 'reviewed' ? t('reviewed') : ''
  return (
    <tr>
      <td>
        <b>
          <bdi>{straightText(row.name)}</bdi>
        </b>
        <br />
        {row.practice && words.marksPractice ? `${t('practice')} · ` : null}
        <bdi>{straightText(row.dir)}</bdi>
      </td>
      <td>
        <b>{state}</b>
        <br />
        {inOneLine([beside ?? '', said, others])}
      </td>
      <td>{bytes === null ? before : `${before} → ${sizeText(bytes, language)} ${change ?? ''}`}</td>
      <td>{[row.languages.join(' '), review].filter(Boolean).join(' · ')}</td>
      <td>{exactTimeText(row.updatedAtMs, language)}</td>
    </tr>
  )
}
