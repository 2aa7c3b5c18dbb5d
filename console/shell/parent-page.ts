import { href } from '../routes.ts'

/** Returns the parent page, which Escape opens; null on a top-level page. */
export function parentPage(pathname: string): string | null {
  const parts = pathname.split('/').filter(Boolean)
  const [area, projectId, section, ...below] = parts
  if (area === undefined || pathname === href.projects()) return null
  if (area !== 'projects' || projectId === undefined || section === undefined) return href.projects()
  const project = href.project(decodeURIComponent(projectId))
  return below.length > 0 ? `${project}/${section}` : project
}
