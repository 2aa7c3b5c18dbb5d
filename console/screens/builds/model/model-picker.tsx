import { CaretDownIcon, CpuIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { modelConnectionsQuery } from '../../../api/organization/connections.ts'
import { projectModelQuery, setProjectModel } from '../../../api/project/project-model.ts'
import { notify, notifyFailure } from '../../../shell/toasts/toasts.ts'
import { modelText } from '../../../text/builds.en.ts'
import { ConnectModel } from '../../settings/models/connect-model.tsx'
import { isModelRequired } from './model-missing.tsx'
import { choiceOf, modelOptions, valueOfChoice } from './model-options.ts'

export function ModelPicker({ projectId, showsName = false }: { projectId: string; showsName?: boolean }) {
  const id = useId()
  const client = useQueryClient()
  const chosen = useQuery(projectModelQuery(projectId))
  const connections = useQuery(modelConnectionsQuery())
  const change = useMutation({
    // The choices are saved one after another, because the arrow keys choose a model with each press.
    scope: { id: `model of ${projectId}` },
    mutationFn: (value: string) => setProjectModel(projectId, choiceOf(value)),
    onSuccess: (model) => {
      client.setQueryData(projectModelQuery(projectId).queryKey, model)
      notify(modelText.changed(model.model))
    },
    onError: notifyFailure,
  })
  if (isModelRequired(chosen.error))
    return <ConnectModel variant="secondary" onConnected={() => void chosen.refetch()} />
  if (!chosen.data || !connections.data) return null
  const value = change.isPending ? change.variables : valueOfChoice(chosen.data)
  return (
    <div className="relative flex h-8 min-w-0 items-center rounded-lg text-[13px] ring-kumo-focus focus-within:ring-2 hover:bg-kumo-tint pointer-coarse:h-11">
      <label htmlFor={id} className="sr-only">
        {modelText.choose}
      </label>
      <span
        aria-hidden="true"
        className="pointer-events-none flex min-w-0 items-center gap-1.5 px-2 text-kumo-default"
      >
        <CpuIcon className="size-4 shrink-0 text-kumo-subtle" />
        <span className={`max-w-36 truncate ${showsName ? '' : 'max-lg:hidden'}`}>{chosen.data.model}</span>
        <CaretDownIcon className="size-3 shrink-0 text-kumo-subtle" />
      </span>
      {/* The select is transparent and covers the text. Otherwise the select would be as wide as its longest option. */}
      <select
        id={id}
        value={value}
        title={modelText.label(chosen.data.model)}
        onChange={(event) => change.mutate(event.target.value)}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      >
        {modelOptions(connections.data, chosen.data).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
