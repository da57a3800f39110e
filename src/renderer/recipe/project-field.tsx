import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { Segmented, TextField } from '../parts/field.tsx'

type Project = UiRecipe['project']

/** The service's project that uploads go to. Typed text is kept while the person tries the other choices. */
export function ProjectField(given: { project: Project; onChange: (project: Project) => void; error: string | null }) {
  const { project, onChange, error } = given
  const { t } = useTranslation('recipe')
  const [typed, setTyped] = useState({
    id: project?.kind === 'id' ? project.id : '',
    name: project?.kind === 'name' ? project.name : '',
  })
  const kind = project?.kind ?? 'none'
  const take = (next: 'none' | 'id' | 'name', text: typeof typed) => {
    setTyped(text)
    onChange(next === 'none' ? null : next === 'id' ? { kind: 'id', id: text.id } : { kind: 'name', name: text.name })
  }
  return (
    <div className="field">
      <span className="field-label">{t('project.label')}</span>
      <div>
        <Segmented
          label={t('project.label')}
          value={kind}
          onChange={(next) => take(next, typed)}
          choices={[
            { value: 'none', label: t('project.none') },
            { value: 'name', label: t('project.byName') },
            { value: 'id', label: t('project.byId') },
          ]}
        />
      </div>
      {kind === 'id' ? (
        <TextField
          label={t('project.id')}
          hint={t('project.idHint')}
          error={error}
          value={typed.id}
          className="input mono"
          spellCheck={false}
          onChange={(event) => take('id', { ...typed, id: event.target.value })}
        />
      ) : null}
      {kind === 'name' ? (
        <TextField
          label={t('project.name')}
          error={error}
          value={typed.name}
          dir="auto"
          onChange={(event) => take('name', { ...typed, name: event.target.value })}
        />
      ) : null}
      <div className="field-hint">{t(`project.hint.${kind}`)}</div>
    </div>
  )
}
