import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, openFromMenu, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'projects-and-tasks',
  about: 'two collections that belong together',
  tickets: [
    {
      title: 'Tasks for each project with title, due date and done',
      script: scriptApp({
        name: 'Projects',
        uses: ['data'],
        pages: [listPage('Projects', 'projects'), listPage('Tasks', 'tasks', '/tasks')],
        collections: {
          projects: openCollection('Projects', { name: TEXT_FIELD }),
          tasks: openCollection('Tasks', {
            title: TEXT_FIELD,
            project: { type: 'ref', ref: 'projects' },
            due: { type: 'date' },
            done: { type: 'boolean' },
          }),
        },
      }),
      checks: [
        {
          name: 'a project can be added',
          run: async (page) => {
            await openFromMenu(page, /projects/i)
            await addRecord(page, [[/name|title/i, 'Moon landing']])
            await expectText(page, 'Moon landing')
          },
        },
        {
          name: 'a task can be added to the project',
          run: async (page) => {
            await openFromMenu(page, /tasks/i)
            await addRecord(page, [
              [/project/i, 'Moon landing'],
              [/title/i, 'Compute the orbit'],
              [/due/i, '2026-07-20'],
            ])
            await expectText(page, 'Compute the orbit')
          },
        },
      ],
    },
  ],
}
