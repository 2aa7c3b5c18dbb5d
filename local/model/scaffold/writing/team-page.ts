import type { WantedList } from '../reading/lists.ts'
import { article, namesOf } from '../reading/names.ts'
import { capitalize } from '../reading/words.ts'

/** Returns the source of the page of a list in which each team has separate records. */
export function teamPageSource({ collection, title }: WantedList): string {
  const { one, many, component } = namesOf(collection)
  return `import {
  Button,
  data,
  Dialog,
  EmptyState,
  LinkButton,
  Notice,
  Page,
  RecordForm,
  RecordList,
  Select,
  showToast,
  type Team,
  team,
} from '@slipway/app/react'
import { useEffect, useState } from 'react'

/** The ${many} of one team at a time. Teams are made, joined and left on the page /teams of the platform. */
export default function ${component}() {
  const [teams, setTeams] = useState<Team[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [isAdding, setIsAdding] = useState(false)
  useEffect(() => {
    team.list().then(setTeams, (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
  }, [])
  const teamId = chosen ?? teams?.[0]?.id
  return (
    <Page
      title="${title}"
      actions={
        teamId !== undefined && (
          <Button kind="primary" onClick={() => setIsAdding(true)}>
            Add ${one}
          </Button>
        )
      }
    >
      {problem !== null && <Notice>{problem}</Notice>}
      {teams?.length === 0 && (
        <EmptyState title="You are in no team yet" action={<LinkButton to="/teams">Create a team</LinkButton>}>
          Create one, or open the link of an invitation. Each team has ${many} of its own.
        </EmptyState>
      )}
      {teams !== null && teams.length > 1 && (
        <Select
          label="Team"
          value={teamId ?? ''}
          options={teams.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
      )}
      {teamId !== undefined && (
        <>
          <RecordList
            key={teamId}
            collection="${collection}"
            partition={teamId}
            empty={
              <EmptyState
                title="No ${many} yet"
                action={<Button onClick={() => setIsAdding(true)}>Add the first ${one}</Button>}
              >
                What is added appears here, for everyone in the team.
              </EmptyState>
            }
            onEdit={(record, input) => data.of(teamId).update('${collection}', record.id, input)}
            onDelete={(record) => data.of(teamId).remove('${collection}', record.id)}
          />
          <Dialog title="Add ${article(one)} ${one}" open={isAdding} onClose={() => setIsAdding(false)}>
            <RecordForm
              collection="${collection}"
              partition={teamId}
              submitLabel="Add ${one}"
              onSaved={() => {
                setIsAdding(false)
                showToast('${capitalize(one)} added')
              }}
            />
          </Dialog>
        </>
      )}
    </Page>
  )
}
`
}
