/**
 * Sentences of people who never programmed, with the expected results. `built` and `after` name every list of the app with its fields in
 * order: a field is text by default, `!` means required, `?` means yes or no, and other types follow a colon.
 */
export type SaidSentence = { said: string } & (
  | { built: string }
  /** All lists of the app after the change. */
  | { after: string }
  | { asked: string }
  | { reply: true }
)

export const FIRST_SENTENCES: SaidSentence[] = [
  // TypeScript refuses records without a field `constructor`, because every object has a function of this name.
  { said: 'Track cars: name, constructor, team', built: 'cars(name! constructorName team)' },
  // Fields after a colon, in other word orders, in bullets and in parentheses.
  {
    said: 'Track the plants in my office: name, room, last watered date',
    built: 'plants(name! room lastWateredDate:date)',
  },
  {
    said: 'Keep track of the books I lend to friends: title, friend, due date',
    built: 'books(title! friend dueDate:date)',
  },
  {
    said: 'Log my expenses: amount, category, date, paid',
    built: 'expenses(amount:number category! date:date paid?)',
  },
  {
    said: 'Plan team lunches: restaurant, date, who is coming',
    built: 'teamLunches(restaurant! date:date whoIsComing)',
  },
  { said: 'books: title, author, year', built: 'books(title! author year:number)' },
  { said: 'Customers (name, email, phone number)', built: 'customers(name! email:email phoneNumber)' },
  { said: 'Make a list of wines (grape, year, rating)', built: 'wines(grape! year:number rating:number)' },
  {
    said: 'I want to track my football stickers:\n- number\n- player\n- team\n- got it yes/no',
    built: 'footballStickers(number:number player! team gotIt?)',
  },
  {
    said: 'wedding guests - name, coming yes or no, vegetarian, table number',
    built: 'weddingGuests(name! coming? vegetarian? tableNumber:number)',
  },
  {
    said: 'Store wine bottles: name, year, price, rating',
    built: 'wineBottles(name! year:number price:number rating:number)',
  },
  { said: 'Keep my weight: date, weight', built: 'weights(date!:date weight:number)' },
  // Fields after `with`, `and` or `including`.
  { said: 'Track orders with customer and cake', built: 'orders(customer! cake)' },
  { said: 'Keep track of customers with name and email', built: 'customers(name! email:email)' },
  { said: 'orders with price and amount', built: 'orders(price!:number amount:number)' },
  { said: 'List of books I read with author and rating', built: 'books(title! author rating:number)' },
  {
    said: 'Track orders with customer, cake, pickup date and status (new, baking, ready)',
    built: 'orders(customer! cake pickupDate:date status:new|baking|ready)',
  },
  {
    said: 'I need a list of repairs with customer, bike and status new, in progress or done',
    built: 'repairs(title! customer bike status:new|in progress|done)',
  },
  {
    said: 'Tasks for each project with title, due date and done',
    built:
      'tasks(title! dueDate:date done? project:ref) projects(name! owner dueDate:date status:planned|active|done)',
  },
  {
    said: 'Guest list for my party with name, plus one yes/no and food preference (meat, fish, vegan)',
    built: 'guests(name! plusOne? foodPreference:meat|fish|vegan)',
  },
  {
    said: 'Inventory for the workshop: item, shelf, quantity, reorder (yes/no)',
    built: 'items(item! shelf quantity:number reorder?)',
  },
  {
    said: 'Please make a table with columns: product, price, in stock',
    built: 'entries(product! price:number inStock:number)',
  },
  {
    said: 'I need an app for my small business where customers can leave reviews with name, stars and comment',
    built: 'reviews(name! stars comment:long)',
  },
  {
    said: 'An app to track my reading: book title, pages read, rating out of 5',
    built: 'readings(bookTitle! pagesRead:number rating:number)',
  },
  {
    said: 'track pets: name, kind, is it vaccinated?, birthday',
    built: 'pets(name! kind vaccinated? birthday:date)',
  },
  {
    said: 'reservations: name, how many people, date, phone number',
    built: 'reservations(name! people:number date:date phoneNumber)',
  },
  { said: 'Track tests: title, result', built: 'tests(title! result)' },
  {
    said: 'Appointments for my nail studio, with customer, treatment, date and time',
    built: 'appointments(title! customer treatment date:date time)',
  },
  {
    said: 'Track trees planted by students (species, date, place, student)',
    built: 'trees(species! date:date place student)',
  },
  {
    said: 'lets make a todo app with priorities low medium high',
    built: 'todos(title! priority:low|medium|high)',
  },
  {
    said: 'Track job applications: company, role, link, status applied/interview/offer/rejected',
    built: 'jobApplications(company! role link:url status:applied|interview|offer|rejected)',
  },
  {
    said: 'Cat feeding log: who fed the cat, when, how much',
    built: 'catFeedings(whoFedTheCat! when:date amount:number)',
  },
  {
    said: 'We are a small theatre group. We need a costume inventory: costume, size, actor, condition (good, ok, broken)',
    built: 'costumes(costume! size actor condition:good|ok|broken)',
  },
  {
    said: 'Hi can u make an app for my nail salon to keep the appointments, customer name, date, time and price thx',
    built: 'appointments(customerName! date:date time price:number)',
  },
  {
    said: 'please make something where i note my blood pressure: date, upper, lower, pulse',
    built: 'bloodPressures(date:date upper! lower pulse:number)',
  },
  {
    said: 'want a recipe collection for my grandma with title ingredients steps',
    built: 'recipes(title! ingredients:long steps:long)',
  },
  {
    said: 'I sell candles. Track orders: who, which candle, how many, sent or not',
    built: 'orders(who! candle quantity:number sent?)',
  },
  {
    said: 'We are a vet practice, we want a list of animals with owner, species, last visit',
    built: 'animals(name! owner species lastVisit:date)',
  },
  {
    said: 'Our kitchen stock: product, amount, best before',
    built: 'kitchenStocks(product! amount:number bestBefore)',
  },
  {
    said: 'CUSTOMERS: NAME, PHONE, EMAIL',
    built: 'customers(name! phone email:email)',
  },
  {
    said: 'Contracts: partner, start, end, cost per month',
    built: 'contracts(partner! start:date end:date costPerMonth:number)',
  },
  { said: 'My diary: date, mood, text', built: 'entries(date:date mood! text)' },
  { said: 'Track APIs: name, owner', built: 'apises(name! owner)' },
  { said: 'Keep track of my customers and their phone numbers', built: 'customers(name! phoneNumber)' },
  {
    said: 'Make a list of classes with name, teacher and day',
    built: 'classes(name! teacher day:date)',
  },
  {
    said: 'We want a directory of volunteers including name, phone and skills',
    built: 'volunteers(name! phone skills)',
  },
  // Fields for photos and dates.
  { said: 'Track plants: name, photo', built: 'plants(name! photo:file)' },
  {
    said: 'Recipes with photos',
    built: 'recipes(title! ingredients:long instructions:long servings:number minutes:number photo:file)',
  },
  {
    said: 'Bookings with a calendar',
    built: 'bookings(name! email:email date:date guestsCount:number notes:long)',
  },
  // Nouns of the lexicon, without fields.
  {
    said: 'A recipe app',
    built: 'recipes(title! ingredients:long instructions:long servings:number minutes:number)',
  },
  { said: 'I need a todo list', built: 'todos(title! notes:long dueDate:date done?)' },
  { said: 'shopping list', built: 'items(name! quantity:number notes:long)' },
  {
    said: 'my recipes',
    built: 'recipes(title! ingredients:long instructions:long servings:number minutes:number)',
  },
  {
    said: 'Something for my expenses please',
    built: 'expenses(title! amount:number date:date category:food|travel|office|other paid?)',
  },
  { said: 'Collect feedback from users', built: 'feedback(name! message:long rating:number)' },
  {
    said: 'Manage bookings and rooms',
    built:
      'bookings(name! email:email date:date guestsCount:number notes:long) rooms(name! floor seats:number notes:long)',
  },
  { said: 'can you make me an inventory of my tools?', built: 'tools(name! place available? notes:long)' },
  { said: 'A guest book where visitors leave a name and a message', built: 'messages(name! message:long)' },
  { said: 'Keep the books I lend to friends', built: 'books(title! author rating:number read?)' },
  { said: 'Members of our club', built: 'members(name! email:email joinedDate:date active?)' },
  {
    said: 'books and movies',
    built: 'books(title! author rating:number read?) movies(title! year:number rating:number notes:long)',
  },
  { said: 'Customer database', built: 'customers(name! email:email phone company notes:long)' },
  { said: 'sign up sheet for the school fair', built: 'signups(name! email:email phone notes:long)' },
  // Nouns that are not in the lexicon, after `track`, `log` or `keep`.
  { said: 'Keep track of bee hives', built: 'beeHives(name! notes:long)' },
  { said: 'log my bird sightings', built: 'birdSightings(name! notes:long)' },
  { said: 'I wanna keep a list of all the lost umbrellas', built: 'lostUmbrellas(name! notes:long)' },
  { said: 'vinyl collection', built: 'vinyls(name! notes:long)' },
  { said: 'a mushroom log', built: 'mushrooms(name! notes:long)' },
  // Sentences with misspellings.
  {
    said: 'i wana trak my recipies',
    built: 'recipes(title! ingredients:long instructions:long servings:number minutes:number)',
  },
  { said: 'keep track of costumers whit name, adress and telefone', built: 'customers(name! address phone)' },
  { said: 'lsit of expences: ammount, date', built: 'expenses(amount!:number date:date)' },
  // Long texts with the list somewhere inside.
  {
    said: 'Hi! I run a small bakery and every week I lose the paper where I note who ordered what. I would like a list of orders: customer name, which cake, pickup date and whether it is paid. Thank you so much!!',
    built: 'orders(customerName! cake pickupDate:date paid?)',
  },
  {
    said: 'Hello there, my name is Greta and I am the secretary of our choir. We always forget who has which score. Could you please make a list of our members? For each one I want the name, the voice and the phone number. It would be wonderful.',
    built: 'members(name! voice phoneNumber)',
  },
  {
    said: 'ok so basically we are 4 flatmates and nobody ever cleans, i just want to keep track of chores with who, due date and done so we stop fighting',
    built: 'chores(title! who dueDate:date done?)',
  },
  {
    said: "Hi, I'm Tom. I teach piano to 23 kids. For each student I want to have the name, parents phone, lesson day and whether they paid this month.",
    built: 'students(name! parentsPhone lessonDay:date paidThisMonth?)',
  },
  {
    said: 'Track my recipes and make the header pink',
    built: 'recipes(title! ingredients:long instructions:long servings:number minutes:number)',
  },
  {
    said: 'My dog school is growing. I want two lists.\nDogs: name, breed, owner\nLessons: title, date, price',
    built: 'dogs(name! breed owner) lessons(title! date:date price:number)',
  },
  {
    said: 'Track customers with name and phone, and orders with customer and date',
    built: 'customers(name! phone) orders(customer! date:date)',
  },
  // Requests without a subject. The program asks for the subject.
  { said: 'Make me something nice', asked: 'subject' },
  { said: 'I want an app', asked: 'subject' },
  { said: 'hello', asked: 'subject' },
  { said: 'Keep it simple', asked: 'subject' },
  { said: 'Make me a list please', asked: 'subject' },
  // Requests that need a model.
  { said: 'Make the header pink and put my logo on it', reply: true },
  { said: 'Show the weather in Stockholm', reply: true },
  { said: 'A game like tetris for my kids', reply: true },
  { said: 'Build a landing page for my yoga studio with prices and a contact form', reply: true },
  { said: 'A chat app for my team', reply: true },
  { said: 'A shop where people buy seed packets', reply: true },
  { said: 'A newsletter people sign up for', reply: true },
  { said: 'I want a calendar where customers can book appointments', reply: true },
  { said: 'design me a nice logo', reply: true },
  { said: 'A page where customers can order cakes', reply: true },
  { said: 'I want to sell my paintings online', reply: true },
  { said: 'Keep my website fast and safe', reply: true },
  { said: 'Make it more colorful', reply: true },
  { said: 'Ideas: pink header, bigger logo, dark mode', reply: true },
  { said: 'Tool that translates my letters to French', reply: true },
  { said: 'Send me an e-mail every morning with the news', reply: true },
  { said: 'I have a restaurant in Malmö and too few guests', reply: true },
  { said: 'Plan a trip to Rome', reply: true },
  { said: 'Log in with Google', reply: true },
  { said: 'Sell cakes', reply: true },
  { said: 'Accept payments for my course', reply: true },
  { said: 'Track the price of bitcoin', reply: true },
  { said: 'Save files in the cloud', reply: true },
  { said: 'Show a list of countries with flags', reply: true },
  { said: 'A kanban board', reply: true },
  { said: 'Make a page with a big red button that says hello', reply: true },
  { said: 'Create a course platform with videos and quizzes', reply: true },
  { said: 'BMI calculator', reply: true },
  { said: 'A page for my team', reply: true },
  { said: 'Keep track of passwords', reply: true },
  { said: 'Photo gallery of our wedding', reply: true },
  { said: 'record my voice', reply: true },
  { said: 'book a table for two', reply: true },
  { said: 'Make a blog', reply: true },
  { said: 'Keep the header pink', reply: true },
  { said: 'Organise my life', reply: true },
  { said: 'Show me the best restaurants in Berlin', reply: true },
  { said: 'How much does this cost?', reply: true },
  { said: 'What can you do', reply: true },
  { said: 'Could you tell me how this works?', reply: true },
  { said: 'Add a phone field to contacts', reply: true },
  { said: 'Ich möchte meine Bücher verwalten', reply: true },
]

/** Requests that build an app. In `SECOND_SENTENCES` each sentence `said` changes the app that the request `on` has built. */
const ORDERS = 'Track orders with customer and cake'
const CUSTOMERS = 'Keep track of customers with name and email'
const BOTH = 'Track customers with name and phone, and orders with customer and date'
const REPAIRS = 'I need a list of repairs with customer, bike and status new, in progress or done'

export const SECOND_SENTENCES: (SaidSentence & { on: string })[] = [
  // Requests for more fields, which follow the existing ones.
  { on: ORDERS, said: 'Add a pickup date', after: 'orders(customer! cake pickupDate:date)' },
  {
    on: ORDERS,
    said: 'Add a pickup date and a note about allergies to orders',
    after: 'orders(customer! cake pickupDate:date noteAboutAllergies)',
  },
  { on: CUSTOMERS, said: 'Add a phone field to customers', after: 'customers(name! email:email phone)' },
  {
    on: ORDERS,
    said: 'Add a status (new, baking, ready)',
    after: 'orders(customer! cake status:new|baking|ready)',
  },
  { on: ORDERS, said: 'Orders need a status', after: 'orders(customer! cake status:open|in progress|done)' },
  {
    on: ORDERS,
    said: 'every order should also have a price and paid yes or no',
    after: 'orders(customer! cake price:number paid?)',
  },
  {
    on: CUSTOMERS,
    said: 'I also want to note their birthday',
    after: 'customers(name! email:email birthday:date)',
  },
  {
    on: CUSTOMERS,
    said: 'can you add a column for the adress please?',
    after: 'customers(name! email:email address)',
  },
  { on: CUSTOMERS, said: 'Add a nickname to the list', after: 'customers(name! email:email nickname)' },
  {
    on: CUSTOMERS,
    said: 'we forgot the phone number. Please add the phone number too',
    after: 'customers(name! email:email phoneNumber)',
  },
  {
    on: BOTH,
    said: 'Add a price to orders',
    after: 'customers(name! phone) orders(customer! date:date price:number)',
  },
  { on: BOTH, said: 'Add a price', asked: 'list' },
  { on: CUSTOMERS, said: 'also a field for the discount', after: 'customers(name! email:email discount)' },
  {
    on: CUSTOMERS,
    said: 'add fields: discount, vip yes/no',
    after: 'customers(name! email:email discount vip?)',
  },
  {
    on: CUSTOMERS,
    said: 'status (lead, active, lost)',
    after: 'customers(name! email:email status:lead|active|lost)',
  },
  { on: CUSTOMERS, said: 'add notes', after: 'customers(name! email:email notes:long)' },
  // Requests for a second list.
  {
    on: CUSTOMERS,
    said: 'Also keep track of suppliers with name and phone',
    after: 'customers(name! email:email) suppliers(name! phone)',
  },
  {
    on: CUSTOMERS,
    said: 'And a list of cakes: name, price',
    after: 'customers(name! email:email) cakes(name! price:number)',
  },
  {
    on: CUSTOMERS,
    said: 'I need a second list for my invoices',
    after: 'customers(name! email:email) invoices(number:number customer! amount:number dueDate:date paid?)',
  },
  {
    on: ORDERS,
    said: 'Add suppliers with name and phone',
    after: 'orders(customer! cake) suppliers(name! phone)',
  },
  {
    on: CUSTOMERS,
    said: 'Hi again, it works great. Now we would also like to keep track of the vans: plate, driver, next service date',
    after: 'customers(name! email:email) vans(plate! driver nextServiceDate:date)',
  },
  {
    on: CUSTOMERS,
    said: 'Track orders for each customer with cake and date',
    after: 'customers(name! email:email) orders(cake! date:date customer:ref)',
  },
  {
    on: ORDERS,
    said: 'for each order i also want to note the price and delivery date',
    after: 'orders(customer! cake price:number deliveryDate:date)',
  },
  {
    on: ORDERS,
    said: 'Could we also have the phone number of the customer?',
    after: 'orders(customer! cake phoneNumber)',
  },
  {
    on: CUSTOMERS,
    said: 'make a list of cakes too: name, price',
    after: 'customers(name! email:email) cakes(name! price:number)',
  },
  // Requests to remove or rename a field, or to add a choice.
  { on: CUSTOMERS, said: 'Remove the email', after: 'customers(name!)' },
  { on: CUSTOMERS, said: "I don't need the email any more", after: 'customers(name!)' },
  { on: CUSTOMERS, said: 'Delete the name field from customers', after: 'customers(email:email)' },
  { on: CUSTOMERS, said: 'Rename name to full name', after: 'customers(fullName! email:email)' },
  {
    on: REPAIRS,
    said: 'Add cancelled to the status',
    after: 'repairs(title! customer bike status:new|in progress|done|cancelled)',
  },
  {
    on: REPAIRS,
    said: 'status: new, done, cancelled',
    after: 'repairs(title! customer bike status:new|in progress|done|cancelled)',
  },
  { on: BOTH, said: 'remove the list of orders', after: 'customers(name! phone)' },
  { on: BOTH, said: 'Remove the orders', after: 'customers(name! phone)' },
  { on: CUSTOMERS, said: 'delete the customers list', after: '' },
  // Requests that need a model or are already fulfilled.
  { on: CUSTOMERS, said: 'Make the header pink and put my logo on it', reply: true },
  { on: CUSTOMERS, said: 'Add a calendar', reply: true },
  { on: CUSTOMERS, said: 'Add a dark mode', reply: true },
  { on: CUSTOMERS, said: 'Add a logo to the page', reply: true },
  { on: CUSTOMERS, said: 'Add John Smith to customers', reply: true },
  { on: CUSTOMERS, said: 'Add sorting to the list', reply: true },
  { on: CUSTOMERS, said: 'Add validation to email', reply: true },
  { on: CUSTOMERS, said: 'customers should get an email when they sign up', reply: true },
  { on: CUSTOMERS, said: 'Change email to a dropdown', reply: true },
  { on: CUSTOMERS, said: 'delete all customers', reply: true },
  { on: CUSTOMERS, said: 'It looks ugly', reply: true },
  { on: CUSTOMERS, said: 'show the total', reply: true },
  { on: CUSTOMERS, said: 'thanks', reply: true },
  { on: CUSTOMERS, said: 'customers must be unique', reply: true },
  { on: CUSTOMERS, said: 'customers have a problem with the form', reply: true },
  { on: CUSTOMERS, said: 'Add a welcome text to the page', reply: true },
  { on: CUSTOMERS, said: 'rename the customers list to clients', reply: true },
  { on: CUSTOMERS, said: 'Remove the search', reply: true },
  { on: CUSTOMERS, said: 'Send every customer a birthday card', reply: true },
  { on: CUSTOMERS, said: 'Make it nicer', reply: true },
  { on: CUSTOMERS, said: 'Add an email field to customers', reply: true },
  { on: CUSTOMERS, said: 'Remove the parking lot', reply: true },
  { on: CUSTOMERS, said: 'Keep track of customers', reply: true },
  { on: REPAIRS, said: 'Can I change the status later?', reply: true },
]

/** Requests for a reminder, each with the expected list, schedule and description of the selected records. */
export const REMINDER_SENTENCES: [said: string, collection: string, every: string, words: string][] = [
  [
    'Track tasks: title, due date, done. Every Monday remind me of the open ones.',
    'tasks',
    'monday at 09:00',
    'the tasks that are not done',
  ],
  [
    'Track tasks: title, due date, done. Remind us every weekday at 8:30 which are due',
    'tasks',
    'weekday at 08:30',
    'the tasks that are not done and whose due date has come',
  ],
  [
    'Keep track of the books I lend: title, friend, due date, and remind me every evening of books that are overdue',
    'books',
    'day at 18:00',
    'the books whose due date has come',
  ],
  [
    'Make a list of invoices (number, customer, paid). Send me a reminder each month about unpaid invoices.',
    'invoices',
    'month on 1 at 09:00',
    'the invoices that are not paid',
  ],
  [
    'Track orders with customer and status (new, baking, ready) and remind the team on Fridays at 5 pm',
    'orders',
    'friday at 17:00',
    'the orders that are not ready',
  ],
  ['A list of chores, daily reminder at noon', 'chores', 'day at 12:00', 'the chores that are not done'],
  [
    'Track ideas: title, notes. Only signed-in people can see them. Remind everyone weekly.',
    'ideas',
    'monday at 09:00',
    'the ideas',
  ],
  [
    'A list of events: title, date. Only staff can add events. Every morning remind people of the events.',
    'events',
    'day at 08:00',
    'the events',
  ],
]
