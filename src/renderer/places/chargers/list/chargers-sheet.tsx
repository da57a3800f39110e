import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useOnPaper } from '../../../parts/use-on-paper.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText } from '../../../text/figures.ts'
import type { AnswerTo, ChargerRow } from '../data/protocol.ts'
import { useRouteWords, type RouteWords } from '../route/route-words.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords, type ChargerWords } from '../use-words.ts'
import { hoursTexts } from './charger-line.tsx'
import { useFilterWords } from './filter-words.ts'
import '../../../parts/paper.css'
import './chargers-sheet.css'

/** This many lines from the top are printed, and kept at hand: nothing can be asked for once a print has begun. */
const PRINTED_LINES = 1000
/** A list that changes with each letter of a search, or as the map moves, is read once it rests. */
const RESTS_MS = 400

/** The list of chargers on paper: every line, not only those on the screen. */
export default function ChargersSheet() {
  const isOnPaper = useOnPaper()
  const held = useFirstRows()
  return isOnPaper ? createPortal(<Sheet held={held} />, document.body) : null
}

function useFirstRows(): AnswerTo<'rows'> | null {
  const client = useChargers((view) => view.client)
  const round = useChargers(({ found }) => found?.round ?? 0)
  const [held, setHeld] = useState<AnswerTo<'rows'> | null>(null)
  useEffect(() => {
    if (client === null || round === 0) return
    let isCurrent = true
    const read = async () => {
      const answer = await client.ask('rows', { from: 0, to: PRINTED_LINES })
      if (isCurrent) setHeld(answer)
    }
    const timer = setTimeout(() => inBackground('chargers-sheet.rows', read), RESTS_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, round])
  return held
}

function Sheet({ held }: { held: AnswerTo<'rows'> | null }) {
  const { t } = useTranslation(['chargers', 'common'])
  const words = useWords()
  const routeWords = useRouteWords()
  const [nowMs] = useState(Date.now)
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const { found, sort, from } = useChargers.getState()
  const filters = useFilterWords(nowMs)
  const { matches = 0, total = 0 } = found ?? {}
  const rows = held?.rows ?? []
  const figure = words.count(total)
  const count =
    matches === total ? t('count', { count: total, figure }) : t('countOf', { shown: words.count(matches), figure })
  const place = from === null ? t('fromMiddle') : t('fromPoint', { name: straightText(from.name) })
  return (
    <section className="paper chargers-sheet">
      <h1>{t('common:places.chargers')}</h1>
      <p>{[count, ...filters, exactTimeText(nowMs, words.language)].join(' · ')}</p>
      <p>
        {t('sort.label')}: {t(`sort.${sort}`)}. {t('arrival.from', { from: place })}
        {status?.atMs == null ? null : ` ${t('route.dataFrom', { time: exactTimeText(status.atMs, words.language) })}`}
        {status?.sample === true ? <b>{` ${t('sample')}.`}</b> : null}
      </p>
      {held?.round === found?.round ? null : <p>{t('paper.changed')}</p>}
      {matches > PRINTED_LINES ? (
        <p>{t('paper.first', { shown: words.count(PRINTED_LINES), figure: words.count(matches) })}</p>
      ) : null}
      <table>
        <thead>
          <tr>
            <th>{t('sort.airfield')}</th>
            <th>{t('detail.state')}</th>
            <th>{t('detail.power')}</th>
            <th>{t('opening.title')}</th>
            <th>{t('detail.position')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} words={words} routeWords={routeWords} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Line({ row, words, routeWords }: { row: ChargerRow; words: ChargerWords; routeWords: RouteWords }) {
  const { t } = useTranslation('chargers')
  const power = words.power(row.power, row.kw) ?? row.type ?? ''
  return (
    <tr>
      <td>
        <b>
          <bdi>{words.name(row)}</bdi>
        </b>
        <br />
        {t('detail.id')} {row.id}
        {row.favourite ? ` · ${t('favourite')}` : null}
      </td>
      <td>
        {words.state(row)}
        {row.unseen ? ` · ${t('notSeen')}` : null}
      </td>
      <td>
        <bdi>{straightText(power)}</bdi>
        {power === '' ? null : <br />}
        <bdi>{straightText(listText(row.connectors, words.language))}</bdi>
        {row.fit === null ? null : ` · ${t(`fit.${row.fit.fit}`)}`}
      </td>
      <td>{hoursTexts(row, words, routeWords, t).join(' · ')}</td>
      <td>
        {row.at === null ? t('noPosition') : degreesMinutes(row.at)}
        {row.at === null || row.distanceNm === null ? null : (
          <>
            <br />
            {words.nm(row.distanceNm)}
          </>
        )}
      </td>
    </tr>
  )
}
