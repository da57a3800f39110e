import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_FAVOURITES } from '../../../../shared/recipes/limits.ts'
import { say } from '../../../../shared/sentences/sentence.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { FieldError } from '../../../parts/field.tsx'
import { askOrToast } from '../../../store/bridge.ts'
import { sentenceIn } from '../../../store/error-text.ts'
import { useShell } from '../../../store/shell-store.ts'
import { toastWithUndo } from '../../../store/undo.ts'
import type { ChargerSet } from '../data/charger-set.ts'
import { useWords } from '../use-words.ts'
import '../file-import.css'

const MOST_SHOWN = 100
const MOST_UNKNOWN = 10

export type FoundWaypoints = ReturnType<ChargerSet['waypoints']>

/** Which chargers a chosen file would mark as favourites, before it does, and what of it is at no charger. */
export default function FavouritesImport({ found, onClose: close }: { found: FoundWaypoints; onClose: () => void }) {
  const { t } = useTranslation(['chargers', 'common'])
  const words = useWords()
  const [before] = useState(() => new Set(useShell.getState().state?.chargers.favourites ?? []))
  const { chargers, unknown } = found
  const marked = chargers.filter(({ id }) => !before.has(id))
  const isFull = before.size + marked.length > MAX_FAVOURITES
  const count = (number: number) => ({ count: number, figure: words.count(number) })
  const ids = marked.map(({ id }) => id)
  const take = async () => {
    close()
    if ((await askOrToast('chargers.favourites', { ids, favourite: true })) === null) return
    toastWithUndo(t('favourites.done', count(ids.length)), () =>
      askOrToast('chargers.favourites', { ids, favourite: false }),
    )
  }
  const mayTake = marked.length > 0 && !isFull
  return (
    <Dialog
      title={t('favourites.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close} data-autofocus={!mayTake}>
            {t(mayTake ? 'common:cancel' : 'common:close')}
          </Button>
          {mayTake ? (
            <Button kind="primary" data-autofocus onClick={() => inBackground('favourites-import.take', take)}>
              {t('favourites.run', count(marked.length))}
            </Button>
          ) : null}
        </>
      }
    >
      <p role="status">
        {t('favourites.found', count(marked.length))}{' '}
        {chargers.length === marked.length ? null : t('favourites.already', count(chargers.length - marked.length))}
      </p>
      <FieldError text={isFull ? sentenceIn(say('favourites_full', { most: MAX_FAVOURITES })) : null} />
      {marked.length === 0 ? null : (
        <ul className="chargers-import">
          {marked.slice(0, MOST_SHOWN).map(({ id, name }) => (
            <li key={id} dir="auto">
              {straightText(name)}
            </li>
          ))}
          {marked.length > MOST_SHOWN ? <li>…</li> : null}
        </ul>
      )}
      <Unknown names={unknown} />
    </Dialog>
  )
}

/** The waypoints that are at no charger. */
function Unknown({ names }: { names: readonly string[] }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  if (names.length === 0) return null
  return (
    <p className="chargers-import secondary">
      {t('favourites.unknown', {
        count: names.length,
        figure: words.count(names.length),
        names: listText(names.slice(0, MOST_UNKNOWN).map(straightText), i18n.language),
      })}
      {names.length > MOST_UNKNOWN ? ' …' : ''}
    </p>
  )
}
