import type { ManagedResource, Reconciliation } from '../../api/project/deployments.ts'
import { shipText } from '../../text/shipping.en.ts'

const { managed: words } = shipText

export function ReconcileResult({ result, managed }: { result: Reconciliation; managed: ManagedResource[] }) {
  const { checked, repaired, failed } = result
  const nameOf = (id: string) => managed.find((resource) => resource.id === id)?.name ?? id
  return (
    <div className="mb-3 space-y-2 rounded-lg bg-kumo-fill px-3.5 py-2.5 text-[13px]">
      <p>
        {words.checked(checked)} {repaired.length + failed.length === 0 && words.nothingToDo}
      </p>
      {repaired.length > 0 && (
        <ResourceList
          title={words.repaired}
          lines={repaired.map(({ id, name, action }) => ({ id, line: `${name}: ${action}` }))}
        />
      )}
      {failed.length > 0 && (
        <ResourceList
          title={words.notRepaired}
          lines={failed.map(({ id, reason }) => ({ id, line: `${nameOf(id)}: ${reason}` }))}
        />
      )}
    </div>
  )
}

function ResourceList({ title, lines }: { title: string; lines: { id: string; line: string }[] }) {
  return (
    <div>
      <p className="font-medium text-kumo-strong">{title}</p>
      <ul className="list-disc pl-5">
        {lines.map(({ id, line }) => (
          <li key={id} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}
