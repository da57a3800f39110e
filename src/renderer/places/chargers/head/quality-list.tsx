import { ClipboardCheck, Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { qualityCsv, type ChargerQuality } from '../../../../shared/chargers/field-quality.ts'
import { today } from '../../../../shared/runtime/local-day.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { saveText } from '../../../store/save-text.ts'
import { choose } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import '../detail/history.css'

const MOST_SHOWN = 200
const BYTE_ORDER_MARK = '\uFEFF'

/** For operators: what is missing, outdated or contradictory in the data of the filtered chargers. */
export function QualityList() {
  const { t } = useTranslation('chargers')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton kind="plain" label={t('quality.title')} onClick={() => setOpen(true)}>
        <ClipboardCheck size={14} aria-hidden />
      </IconButton>
      {isOpen ? <QualityDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function QualityDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const client = useChargers((view) => view.client)
  const matches = useChargers(({ found }) => found?.matches ?? 0)
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const [list, setList] = useState<readonly ChargerQuality[] | null>(null)
  useEffect(() => {
    if (client !== null) inBackground('quality-list.ask', () => client.ask('quality', {}).then(setList))
  }, [client])
  if (list === null) return null
  const save = async () => {
    const name = `${sample ? 'sample-' : ''}charger-quality-${today()}.csv`
    await saveText(name, 'text/csv;charset=utf-8', BYTE_ORDER_MARK + qualityCsv(list, { sample }))
  }
  return (
    <Dialog
      title={t('quality.title')}
      onClose={onClose}
      actions={
        <Button disabled={list.length === 0} onClick={() => inBackground('quality-list.save', save)}>
          <Download size={14} aria-hidden />
          {t('quality.save')}
        </Button>
      }
    >
      <p>{t('quality.count', { count: list.length, figure: words.count(list.length), all: words.count(matches) })}</p>
      <p className="secondary">{t('quality.hint')}</p>
      <ul className="chargers-log chargers-quality">
        {list.slice(0, MOST_SHOWN).map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="chargers-clear"
              onClick={() => {
                choose({ kind: 'charger', id: one.id, fromSite: null })
                onClose()
              }}
            >
              <span className="ellipsis" dir="auto" title={words.name(one)}>
                {words.name(one)}
              </span>
            </button>
            <span className="secondary figures">{t('route.charger', { id: one.id })}</span>
            <span>{one.findings.map((finding) => t(`quality.finding.${finding}`)).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {list.length > MOST_SHOWN ? (
        <p className="caption">{t('quality.cut', { figure: words.count(MOST_SHOWN) })}</p>
      ) : null}
    </Dialog>
  )
}
