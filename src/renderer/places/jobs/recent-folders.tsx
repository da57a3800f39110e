import { History } from 'lucide-react'
import { t } from 'i18next'
import { openRecent } from '../../intake/intake-commands.ts'
import { askOrToast } from '../../store/bridge.ts'
import { useShell } from '../../store/shell-store.ts'
import { PathText } from '../../parts/path-text.tsx'

/** The items of a menu with the folders that were opened last; none where there are none. */
export function useRecentFolders() {
  const recent = useShell(({ state }) => state?.app.recent)
  if (recent === undefined || recent.length === 0) return []
  return [
    ...recent.map((place) => ({
      label: <PathText path={place.path} whole={place.path} className="" />,
      icon: <History size={14} aria-hidden />,
      onSelect: () => openRecent(place),
    })),
    null,
    {
      label: t('jobs:clearRecent'),
      onSelect: () => askOrToast('places.clearRecent', {}),
    },
  ]
}
