import { useTranslation } from 'react-i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { useIsSample } from '../../../store/samples.ts'
import { StateShape } from '../../../parts/state-mark.tsx'
import { AltTexts } from './alt-texts.tsx'
import { Compare } from './compare.tsx'
import { Facts } from './facts.tsx'
import { Files } from './files.tsx'
import { History } from './history.tsx'
import { Markup } from './markup.tsx'
import { Notes } from './notes.tsx'
import { Outcome } from './outcome.tsx'

/** The parts of the detail, the most important first; empty ones are left out. */
export function DetailParts({ detail }: { detail: JobDetail }) {
  const { t } = useTranslation('jobs')
  const isSample = useIsSample()
  const { row, texts } = detail
  return (
    <>
      <StateLine detail={detail} />
      {isSample(row) ? <p className="secondary">{t('samples.one')}</p> : null}
      <Outcome detail={detail} />
      <Compare row={row} />
      {texts.length > 0 ? <AltTexts detail={detail} /> : null}
      <Files detail={detail} />
      {texts.length > 0 ? <Markup detail={detail} /> : null}
      <Notes notes={detail.notes} />
      <Facts detail={detail} />
      <History lines={detail.history} />
    </>
  )
}

function StateLine({ detail: { row, path } }: { detail: JobDetail }) {
  const { t } = useTranslation('reasons')
  return (
    <div className="detail-state">
      <span className="mark">
        <StateShape state={row.state} />
        {t(`state.${row.state}`)}
      </span>
      <span className="secondary ellipsis" dir="auto" title={straightText(path)}>
        <bdi>{straightText(row.dir)}</bdi>
      </span>
    </div>
  )
}
