import { href } from '../routes.ts'

/** The parent page, which Escape opens; null at the top. */
export function parentPage(pathname: string): string | null {
  const parts = pathname.split('/').filter(Boolean)
  const [area, projectId, section, ...below] = parts
  if (area === undefined || pathname === href.projects()) return null
  if (area !== 'projects' || projectId === undefined || section === undefined) return href.projects()
  const project = href.project(decodeURIComponent(projectId))
  return below.length > 0 ? `${project}/${section}` : project
}
