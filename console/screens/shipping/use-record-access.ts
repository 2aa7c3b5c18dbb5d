import { useQuery } from '@tanstack/react-query'
import { sourceQuery } from '../../api/project/versions.ts'
import { accessQuery } from '../../api/project/access.ts'
import { type RecordAccess, recordAccess } from './record-access.ts'

/** Returns who may access the records of the last build, and the queries for it. `access` is null while loading or without records. */
export function useRecordAccess(projectId: string, sha: string | null) {
  const source = useQuery({ ...sourceQuery(projectId, sha ?? ''), enabled: sha !== null })
  const code = useQuery(accessQuery(projectId))
  const access: RecordAccess | null = recordAccess(source.data?.files['app.json'])
  const isClosed = code.data?.enabled === true
  return {
    access: access !== null && isClosed ? ('code' as const) : access,
    reads: [source, code],
    isLoading: source.isLoading || code.isLoading,
  }
}
