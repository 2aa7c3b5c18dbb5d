/** The source of a page with the records of a person's first team. */
export const TEAM_TASKS = `import { Button, data, Page, team, TextField, useQuery, type Team } from '@slipway/app/react'
import { useEffect, useState } from 'react'

function Tasks({ of }: { of: Team }) {
  const { rows } = useQuery('tasks', {}, { partition: of.id })
  const [title, setTitle] = useState('')
  const add = async () => {
    await data.of(of.id).create('tasks', { title })
    setTitle('')
  }
  return (
    <>
      <TextField label="Task" value={title} onChange={setTitle} />
      <Button onClick={() => void add()}>Add task</Button>
      <ul>{rows.map((row) => <li key={row.id}>{row.title}</li>)}</ul>
    </>
  )
}
export default function Home() {
  const [teams, setTeams] = useState<Team[]>([])
  useEffect(() => void team.list().then(setTeams), [])
  const [first] = teams
  return <Page title="Tasks">{first === undefined ? <p>No team yet</p> : <Tasks of={first} />}</Page>
}
`
