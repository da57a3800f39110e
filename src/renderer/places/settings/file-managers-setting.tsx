import { listText } from '../../text/figures.ts'
import { useState } from 'react'
import { t } from 'i18next'
import type { PageResponse } from '../../../shared/contract/calls.ts'
import { askOrToast } from '../../store/bridge.ts'
import { useCan } from '../../store/shell-store.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { SettingRow } from './section.tsx'

type Managers = PageResponse<'app.fileManagers'>['managers']

/** Names that are the same in every language. */
const NAMES: Record<Managers[number]['id'], string> = {
  nautilus: 'Nautilus',
  nemo: 'Nemo',
  caja: 'Caja',
  dolphin: 'Dolphin',
  thunar: 'Thunar',
  finder: 'Finder',
  explorer: 'Explorer',
}

export function FileManagersSetting() {
  const first = useAnswer('app.fileManagers', useCan('fileManagers') ? {} : null)
  const [changed, setChanged] = useState<Managers | null>(null)
  const managers = changed ?? first.value?.managers
  if (managers === undefined) return null
  const set = async (installed: boolean) => {
    const answer = await askOrToast('app.setFileManagers', { installed })
    if (answer !== null) setChanged(answer.managers)
  }
  const names = (those: Managers) =>
    listText(
      those.map(({ id }) => NAMES[id]),
      'conjunction',
    )
  const having = managers.filter(({ entry }) => entry === 'current' || entry === 'older')
  const lacking = managers.filter(({ isThere, entry }) => isThere && (entry === 'absent' || entry === 'older'))
  const others = managers.filter(({ entry }) => entry === 'another')
  const button = (installed: boolean, words: string) => (
    <Button aria-label={`${words}: ${t('settings:fileManagers')}`} onClick={() => set(installed)}>
      {words}
    </Button>
  )
  return (
    <SettingRow label={t('settings:fileManagers')}>
      <div>
        {having.length > 0 ? <div>{t('settings:fileManagersIn', { managers: names(having) })}</div> : null}
        {having.length + lacking.length + others.length === 0 ? (
          <div className="secondary">{t('settings:fileManagersNone')}</div>
        ) : null}
        {others.length > 0 ? (
          <div className="secondary">{t('settings:fileManagersOther', { managers: names(others) })}</div>
        ) : null}
      </div>
      {lacking.length > 0 ? button(true, t('settings:fileManagersAdd', { managers: names(lacking) })) : null}
      {having.length > 0 ? button(false, t('common:remove')) : null}
    </SettingRow>
  )
}
