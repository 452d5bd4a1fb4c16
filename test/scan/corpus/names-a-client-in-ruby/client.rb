class PassportClient
  def human?(id)
    body = HTTP.get("#{base}/api/v1/passports/#{id}").parse # call: passport
    body["passport"]["human_checkmark"] # read: passport.human_checkmark
  end
end
