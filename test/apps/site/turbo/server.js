// A blog whose server sends pages, frames and streams to Turbo.
import { after } from "../after.js";

export default function serve(app, say) {
  const posts = ["Spring", "Summer", "Autumn"].map((title, index) => ({ id: index + 1, title, likes: 0 }));
  const page = (
    title,
    body,
  ) => `<!doctype html><html lang="en"><head><title>${title}</title><link rel="icon" href="data:,">
    <script type="module" src="/page.js"></script></head><body><nav><a href="/posts">Posts</a> <a href="/about">About</a></nav><h1>${title}</h1>${body}</body></html>`;
  const html = (reply, ms, text, type = "text/html") =>
    after(ms, text).then((body) => reply.type(type).send(body));
  const post = ({
    id,
    title,
    likes,
  }) => `<turbo-frame id="post_${id}"><section aria-label="${title}"><b>${title}</b> <span id="likes_${id}">${likes} likes</span>
    <a href="/posts/${id}/edit">Rename</a>
    <form action="/posts/${id}/like" method="post"><button>Like</button></form></section></turbo-frame>`;
  const form = (
    { id, title },
    wrong = "",
  ) => `<turbo-frame id="post_${id}"><form action="/posts/${id}" method="post">
    <label>Title <input name="title" value="${title}"></label> <em role="alert">${wrong}</em><button>Save</button></form></turbo-frame>`;
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  );
  const of = ({ params }) => posts.find(({ id }) => id === Number(params.id));
  app.get("/posts", (_request, reply) =>
    html(
      reply,
      80,
      page(
        "Posts",
        `<div id="posts">${posts.map(post).join("")}</div><turbo-frame id="more" src="/archive" loading="lazy">Loading the archive …</turbo-frame>`,
      ),
    ),
  );
  app.get("/archive", (_request, reply) =>
    html(reply, 130, `<turbo-frame id="more"><p>Winter, long ago</p></turbo-frame>`),
  );
  app.get("/about", (_request, reply) =>
    html(reply, 120, page("About", "<p>Seasons, one after another</p>")),
  );
  app.get("/posts/:id/edit", (request, reply) => html(reply, 70, form(of(request))));
  app.get("/posts/:id", (request, reply) => html(reply, 70, post(of(request))));
  app.post("/posts/:id", async (request, reply) => {
    const { title } = request.body;
    if (title === "") return html(reply.code(422), 90, form({ ...of(request), title }, "A title is needed"));
    say(`${of(request).title} is now ${title}`);
    of(request).title = title;
    await after(90);
    return reply.redirect(`/posts/${of(request).id}`, 303);
  });
  app.post("/posts/:id/like", (request, reply) => {
    const { id, title } = of(request);
    say(`liked ${title}`);
    const likes = ++of(request).likes;
    const stream = `<turbo-stream action="update" target="likes_${id}"><template>${likes} likes</template></turbo-stream>`;
    return html(reply, 110, stream, "text/vnd.turbo-stream.html");
  });
}
