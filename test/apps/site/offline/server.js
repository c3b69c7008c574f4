// News, of which there is one more each time that it is asked for.
import { after } from "../after.js";

export default function serve(app, say) {
  const news = { world: ["Peace", "Rain"], sport: ["Goal"] };
  const asked = { world: 0, sport: 0 };
  for (const topic of Object.keys(news))
    app.get(`/api/${topic}`, () => {
      const more = Array.from({ length: Math.min(asked[topic]++, 1) }, () => `Late ${topic}`);
      return after(100, { topic, headlines: [...news[topic], ...more] });
    });
  app.post("/api/read", async ({ body }) => {
    say(`read ${body}`);
    return after(70, {});
  });
}
