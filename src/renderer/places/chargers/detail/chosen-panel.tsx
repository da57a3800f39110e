import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../../parts/use-shortcut.ts'
import type { ChargerClient } from '../data/charger-client.ts'
import type { ChargerDetail, SiteDetail } from '../data/protocol.ts'
import { siteMark, type Mark } from '../map/mark.ts'
import { markChosen, stepBack } from '../store/chargers-actions.ts'
import { useView, type ChosenCharger as Chosen } from '../../../store/view-store.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import { ChargerActions, ChargerFacts } from './charger-facts.tsx'
import { GoneCharger } from './gone-charger.tsx'
import { SidePanel } from './side-panel.tsx'
import { SiteList } from './site-list.tsx'
import { inBackground } from '../../../bridge/in-background.ts'

/** What is known, and about which charger or airfield: until the new answer arrives, it is all about the previous one. */
type Answer =
  | { kind: 'charger'; chosen: Extract<Chosen, { kind: 'charger' }>; detail: ChargerDetail | null }
  | { kind: 'site'; chosen: Extract<Chosen, { kind: 'site' }>; detail: SiteDetail | null }

/** The details of the chosen charger or airfield, over `over`, which is inert meanwhile. */
export function ChosenPanel({ over }: { over: ReactNode }) {
  const chosen = useView((view) => view.charger)
  const answer = useChosen(chosen)
  useShortcuts({ back: stepBack })
  return (
    <>
      <div className="chargers-beneath" inert={answer !== null}>
        {over}
      </div>
      {answer === null ? null : <ChosenDetail answer={answer} />}
    </>
  )
}

function ChosenDetail({ answer }: { answer: Answer }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const { chosen } = answer
  const back = chosen.kind === 'charger' && chosen.fromSite !== null ? t('detail.backToSite') : t('detail.back')
  const id = chosen.kind === 'charger' ? `charger ${chosen.id}` : `site ${chosen.key}`
  if (answer.kind === 'charger' && answer.detail === null) return <GoneCharger id={answer.chosen.id} back={back} />
  const place = answer.kind === 'site' ? answer.detail : (answer.detail?.row ?? null)
  return (
    <SidePanel
      id={id}
      title={place === null ? t('detail.title') : words.name(place)}
      back={back}
      actions={answer.kind === 'charger' && answer.detail !== null ? <ChargerActions row={answer.detail.row} /> : null}
    >
      {answer.detail === null ? <p className="secondary">{t('detail.noneHere')}</p> : null}
      {answer.kind === 'charger' && answer.detail !== null ? <ChargerFacts detail={answer.detail} /> : null}
      {answer.kind === 'site' && answer.detail !== null ? (
        <SiteList site={answer.detail} siteKey={answer.chosen.key} />
      ) : null}
    </SidePanel>
  )
}

/**
 * The details of what is chosen, requested again when the chargers change. The previous answer stays until the new one
 * arrives, but not once nothing is chosen, so that it cannot flash up at the next choice.
 */
function useChosen(chosen: Chosen | null): Answer | null {
  const client = useChargers((view) => view.client)
  const round = useChargers(({ found }) => found?.round ?? 0)
  const [answer, setAnswer] = useState<Answer | null>(null)
  if (chosen === null && answer !== null) setAnswer(null)
  useEffect(() => {
    if (client === null || chosen === null || round === 0) return
    let isCurrent = true
    inBackground('chosen-panel.answerFor', () =>
      answerFor(client, chosen).then((value) => {
        if (!isCurrent) return
        setAnswer(value)
        markChosen(markOf(value))
      }),
    )
    return () => {
      isCurrent = false
    }
  }, [client, chosen, round])
  return chosen === null ? null : answer
}

async function answerFor(client: ChargerClient, chosen: Chosen): Promise<Answer> {
  if (chosen.kind === 'charger')
    return { kind: 'charger', chosen, detail: await client.ask('detail', { id: chosen.id }) }
  return { kind: 'site', chosen, detail: await client.ask('site', { key: chosen.key }) }
}

function markOf(answer: Answer): Mark | null {
  if (answer.detail === null) return null
  if (answer.kind === 'site') return siteMark(answer.chosen.key, answer.detail.at)
  return siteMark(answer.detail.row.site, answer.detail.row.at)
}
